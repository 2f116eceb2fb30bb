-- How much the runs of a dump vary, by device: median, 90th percentile and maximum of the spread that `etcore analyze` prints.
SELECT device, count(DISTINCT run_id) AS dumps, farm_median(spread_ppm) / 1e6 AS spread, farm_p90(spread_ppm) / 1e6 AS p90_spread,
  max(spread_ppm) / 1e6 AS most_spread
FROM runs WHERE spread_ppm IS NOT NULL GROUP BY device ORDER BY spread DESC, device
