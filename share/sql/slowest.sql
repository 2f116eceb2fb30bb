-- The devices of each model, the slowest first. ratio: median time divided by that of the fastest device.
WITH devices AS (
    SELECT model, method, path, device, count(*) AS dumps, farm_median(r.typical_ns) AS typical_ns, farm_p90(r.typical_ns) AS p90_ns
    FROM runs r WHERE r.typical_ns IS NOT NULL GROUP BY model, method, path, device)
SELECT model, method, path, device, dumps, typical_ns, p90_ns,
  CAST(typical_ns AS DOUBLE) / nullif(min(typical_ns) OVER (PARTITION BY model, method, path), 0) AS ratio
FROM devices ORDER BY ratio DESC, model, method, path, device
