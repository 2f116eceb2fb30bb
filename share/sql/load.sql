-- How long the first load of a method takes.
WITH loads AS (
    SELECT run_id, model, device, method, max(r.load_ns) AS t_ns FROM runs r WHERE r.load_ns IS NOT NULL
    GROUP BY run_id, model, device, method)
SELECT model, device, method, count(*) AS dumps, farm_median(t_ns) AS load_ns, farm_p90(t_ns) AS p90_ns, max(t_ns) AS most_ns
FROM loads GROUP BY model, device, method ORDER BY load_ns DESC, model, device, method
