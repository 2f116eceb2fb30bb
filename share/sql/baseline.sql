-- The stored baselines of the selected dumps, the oldest first; NULL if the batch did not write a baseline of the dump.
WITH dumps AS (
    SELECT run_id, analysis_id, max(model) AS model, max(device) AS device, max(r.day) AS last_day, max(modified_ns) AS last_ns
    FROM runs r GROUP BY run_id, analysis_id)
SELECT d.model AS model, d.device AS device, d.run_id AS run_id, b.baseline AS baseline
FROM dumps d LEFT JOIN baselines b ON b.analysis_id = d.analysis_id ORDER BY d.last_day, d.last_ns, d.run_id
