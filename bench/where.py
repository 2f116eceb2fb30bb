"""where - prints the path of the Python interpreter that runs it."""
import sys

print(sys.executable)
