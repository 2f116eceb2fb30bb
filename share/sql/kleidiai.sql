-- Where KleidiAI ran: self time of the rows with kernel_library_ran = yes, no, cannot tell. share: yes / (yes + no).
WITH counted AS (
    SELECT t.model AS model, t.device AS device, count(*) AS operators,
      sum(CASE WHEN r.kernel_library_ran = 'yes' THEN r.self_ns ELSE 0 END) AS yes_ns,
      sum(CASE WHEN r.kernel_library_ran = 'no' THEN r.self_ns ELSE 0 END) AS no_ns,
      sum(CASE WHEN r.kernel_library_ran = 'cannot tell' THEN r.self_ns ELSE 0 END) AS cannot_tell_ns
    FROM rows r JOIN runs t ON r.analysis_id = t.analysis_id AND r.path = t.path
    WHERE r.detached = false AND r.self_ns IS NOT NULL AND r.kernel_library_ran IS NOT NULL GROUP BY t.model, t.device)
SELECT model, device, operators, yes_ns, no_ns, cannot_tell_ns, CAST(yes_ns AS DOUBLE) / nullif(yes_ns + no_ns, 0) AS share
FROM counted ORDER BY share, model, device
