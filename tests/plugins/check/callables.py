"""The Python parser and converter that bad.c imitates, except for its deliberate defects."""


def parse(metadatas):
    if not metadatas:
        return None
    if metadatas[0] == b"raise":
        raise KeyError("nothing there")
    return {"size": len(metadatas[0]), "number": len(metadatas[0]) / 2}


def convert(name, time):
    return time / 1e6
