"""where - prints the path of the Python that runs this."""
import sys

print(sys.executable)
