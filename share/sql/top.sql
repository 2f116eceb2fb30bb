-- The operators that take most time: self time of a typical run, summed over all dumps.
WITH operators AS (
    SELECT name, backend, category,
      count(CASE WHEN r.alone THEN 1 END) + count(DISTINCT CASE WHEN r.alone THEN NULL ELSE run_id END) AS dumps,
      sum(r.self_ns) AS self_ns
    FROM rows r WHERE r.detached = false AND r.self_ns IS NOT NULL GROUP BY name, backend, category)
SELECT name, backend, category, dumps, self_ns, CAST(self_ns AS DOUBLE) / sum(self_ns) OVER () AS share
FROM operators ORDER BY self_ns DESC, name, backend, category
