-- The operators that run on the CPU, outside delegates. share: their part of the self time of all rows.
WITH operators AS (
    SELECT name, category, place,
      count(CASE WHEN r.alone THEN 1 END) + count(DISTINCT CASE WHEN r.alone THEN NULL ELSE run_id END) AS dumps,
      sum(r.self_ns) AS self_ns
    FROM rows r WHERE r.detached = false AND r.self_ns IS NOT NULL GROUP BY name, category, place),
  shares AS (SELECT *, CAST(self_ns AS DOUBLE) / sum(self_ns) OVER () AS share FROM operators)
SELECT name, category, dumps, self_ns, share FROM shares WHERE place = 'CPU' ORDER BY self_ns DESC, name, category
