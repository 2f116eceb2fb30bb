"""Reads neural statistics that the VGF backend logs as metadata of its events."""
from __future__ import annotations

import base64
import binascii
import json
from typing import Any, Dict, List, Optional, Sequence, Union

SCHEMA = "executorch.vgf.neural_statistics"
SCHEMA_VERSION = 1
_BLOBS = ("debug_database", "statistics_info", "statistics_memory")

Metadata = Union[bytes, bytearray, str]


def _bytes(metadata: Any) -> bytes:
    if isinstance(metadata, str):
        return metadata.encode("utf-8")
    if isinstance(metadata, (bytes, bytearray)):
        return bytes(metadata)
    raise TypeError(f"Unsupported delegate metadata type: {type(metadata)}")


def _blob(blob: Dict[str, Any]) -> Dict[str, Any]:
    out = dict(blob)
    if not out.get("available", False):
        out.setdefault("raw_data", b"")
        return out
    if out.get("encoding") != "base64":
        raise ValueError(f"Unsupported VGF neural statistics blob encoding: {out.get('encoding')}")
    try:
        out["raw_data"] = base64.b64decode(out.get("data", ""), validate=True)
    except (binascii.Error, TypeError) as e:
        raise ValueError("Malformed base64 data in VGF neural statistics blob") from e
    return out


def parse_vgf_neural_statistics_metadata(metadata: Metadata) -> Dict[str, Any]:
    """Parses one record; each blob of a segment gets its bytes as ``raw_data``.

    Raises:
        ValueError: the metadata is no such record, has another version, or is damaged.
    """
    record = json.loads(_bytes(metadata).decode("utf-8"))
    if record.get("schema") != SCHEMA:
        raise ValueError(f"Not VGF neural statistics metadata: {record.get('schema')}")
    if record.get("schema_version") != SCHEMA_VERSION:
        raise ValueError("Unsupported VGF neural statistics metadata schema version: "
                         f"{record.get('schema_version')}")
    record = dict(record)
    record["segments"] = [
        {k: _blob(v) if k in _BLOBS and isinstance(v, dict) else v for k, v in dict(segment).items()}
        for segment in record.get("segments", [])]
    return record


def _record(metadata: Any) -> Optional[Dict[str, Any]]:
    """Returns the record in a piece of metadata; None if the metadata is something else."""
    try:
        data = _bytes(metadata)
    except TypeError:
        return None
    try:
        found = json.loads(data.decode("utf-8"))
    except ValueError as e:
        if SCHEMA.encode() in data:
            raise ValueError("Malformed VGF neural statistics delegate metadata") from e
        return None
    if not isinstance(found, dict) or found.get("schema") != SCHEMA:
        return None
    return parse_vgf_neural_statistics_metadata(data)


def parse_vgf_neural_statistics_delegate_metadata(delegate_metadata_list: Sequence[Metadata]) -> List[Dict[str, Any]]:
    """Returns the records among an event's metadata; metadata of other backends is skipped."""
    records = (_record(m) for m in delegate_metadata_list if m)
    return [r for r in records if r is not None]
