"""where - the Python that runs this."""
import sys

print(sys.executable)
