"""The time converter for QNN's events that tests/plugins/parity/qnn.json records: by the end of the event's name, as
backends/qualcomm/runtime/backends/QnnProfiler.cpp writes it. Only " (us)" is a time of known length; " (bytes)" and
" (count)" are none, and what has no ending or " (cycles)" has no frequency: those stay as they were logged."""


def convert_qnn_time(name, time):
    return time / 1000 if isinstance(name, str) and name.endswith(" (us)") else time
