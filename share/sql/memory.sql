-- The bytes that the runtime allocates per run, and in the largest run. Dumps without allocation events are left out.
SELECT model, device, method, path, count(*) AS dumps, farm_median(r.allocated_bytes) AS allocated_bytes,
  max(r.allocated_max_bytes) AS most_bytes
FROM runs r WHERE r.allocated_bytes IS NOT NULL GROUP BY model, device, method, path
ORDER BY most_bytes DESC, model, device, method, path
