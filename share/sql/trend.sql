-- The typical time of each model on each device, day by day. change: relative to the previous day with dumps.
WITH
  days AS (
    SELECT model, device, method, path, day, count(*) AS dumps, farm_median(r.typical_ns) AS typical_ns,
      min(r.typical_ns) AS least_ns, max(r.typical_ns) AS most_ns
    FROM runs r WHERE r.typical_ns IS NOT NULL GROUP BY model, device, method, path, day),
  moved AS (
    SELECT *, min(typical_ns) OVER (PARTITION BY model, device, method, path ORDER BY day
      ROWS BETWEEN 1 PRECEDING AND 1 PRECEDING) AS before_ns
    FROM days)
SELECT model, device, method, path, day, dumps, typical_ns, least_ns, most_ns,
  CAST(typical_ns - before_ns AS DOUBLE) / nullif(before_ns, 0) AS change
FROM moved ORDER BY model, device, method, path, day
