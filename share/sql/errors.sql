-- Files that could not be analysed, by error code. A file with several attempts counts once. Files are left out if a dump with
-- the same bytes was analysed, or if a later version of the file was. example: the first path in alphabetical order.
WITH
  done AS (SELECT DISTINCT run_id FROM runs),
  mended AS (SELECT path, max(modified_ns) AS modified_ns FROM paths WHERE run_id IN (SELECT run_id FROM done) GROUP BY path)
SELECT code, count(DISTINCT e.path) AS files, min(message) AS message, min(e.path) AS example
FROM errors e LEFT JOIN mended m ON e.path = m.path
WHERE (e.run_id IS NULL OR e.run_id NOT IN (SELECT run_id FROM done)) AND (m.path IS NULL OR m.modified_ns < e.modified_ns)
GROUP BY code ORDER BY files DESC, code
