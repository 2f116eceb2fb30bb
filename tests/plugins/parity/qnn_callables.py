"""The time converter for QNN's events that tests/plugins/parity/qnn.json records. It depends on the end of the event's
name, which backends/qualcomm/runtime/backends/QnnProfiler.cpp writes. Only " (us)" marks a time of known unit; " (bytes)"
and " (count)" are no times, and " (cycles)" and names without an ending have an unknown rate: these values stay as logged."""


def convert_qnn_time(name, time):
    return time / 1000 if isinstance(name, str) and name.endswith(" (us)") else time
