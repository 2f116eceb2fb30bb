-- Compares the newest day of the farm with the last day before it on which the same model ran on the same device.
-- change_ns: the median of the differences between each dump of the newest day and each of the earlier day (Hodges-Lehmann);
-- if their number is even, of all values between the middle two the one that is nearest to typical_ns - before_ns.
-- low_ns and high_ns: its 95 % interval (Moses), for each row separately; NULL if there are too few dumps. Differences are those
-- of at most the last 100 dumps of a day; all other columns are of all dumps.
WITH
  since AS (
    SELECT model, device, method, path, max(r.day) AS day FROM runs r
    WHERE r.typical_ns IS NOT NULL AND r.day < (SELECT max(day) FROM runs WHERE typical_ns IS NOT NULL)
    GROUP BY model, device, method, path),
  chosen AS (
    SELECT coalesce(r.model, '') AS model, coalesce(r.device, '') AS device, coalesce(r.method, '') AS method, r.path AS path,
      r.day AS day, r.typical_ns AS t_ns, s.day AS before_day,
      row_number() OVER (PARTITION BY r.model, r.device, r.method, r.path, r.day ORDER BY r.modified_ns DESC, r.run_id) AS nth
    FROM runs r JOIN since s ON coalesce(r.model, '') = coalesce(s.model, '') AND coalesce(r.device, '') = coalesce(s.device, '')
      AND coalesce(r.method, '') = coalesce(s.method, '') AND r.path = s.path
    WHERE r.typical_ns IS NOT NULL
      AND (r.day = s.day OR r.day = (SELECT max(day) FROM runs WHERE typical_ns IS NOT NULL))),
  sides AS (
    SELECT model, device, method, path, day, before_day, count(*) AS dumps, least(count(*), 100) AS n, farm_median(t_ns) AS typical_ns
    FROM chosen GROUP BY model, device, method, path, day, before_day),
  differences AS (
    SELECT b.model AS model, b.device AS device, b.method AS method, b.path AS path, b.t_ns - a.t_ns AS d_ns,
      row_number() OVER (PARTITION BY b.model, b.device, b.method, b.path ORDER BY b.t_ns - a.t_ns) AS i
    FROM chosen a JOIN chosen b ON a.model = b.model AND a.device = b.device AND a.method = b.method AND a.path = b.path
    WHERE a.day = a.before_day AND b.day <> b.before_day AND a.nth <= 100 AND b.nth <= 100),
  pairs AS (
    SELECT b.model AS model, b.device AS device, b.method AS method, b.path AS path, b.before_day AS before_day, b.day AS day,
      a.dumps AS before_dumps, b.dumps AS dumps, a.typical_ns AS before_ns, b.typical_ns AS typical_ns, a.n * b.n AS mn,
      CAST(floor(a.n * b.n / 2e0 - 1.959963984540054e0 * sqrt(a.n * b.n * (a.n + b.n + 1) / 12e0)) AS BIGINT) AS k
    FROM sides a JOIN sides b ON a.model = b.model AND a.device = b.device AND a.method = b.method AND a.path = b.path
    WHERE a.day = a.before_day AND b.day <> b.before_day)
SELECT nullif(p.model, '') AS model, nullif(p.device, '') AS device, nullif(p.method, '') AS method, p.path AS path,
  p.before_day AS before_day, p.day AS day, p.before_dumps AS before_dumps, p.dumps AS dumps, p.before_ns AS before_ns,
  p.typical_ns AS typical_ns, least(greatest(min(CASE WHEN d.i = floor((p.mn + 1) / 2e0) THEN d.d_ns END),
    p.typical_ns - p.before_ns), min(CASE WHEN d.i = floor(p.mn / 2e0) + 1 THEN d.d_ns END)) AS change_ns,
  min(CASE WHEN p.k >= 1 AND d.i = p.k THEN d.d_ns END) AS low_ns,
  min(CASE WHEN p.k >= 1 AND d.i = p.mn + 1 - p.k THEN d.d_ns END) AS high_ns
FROM pairs p JOIN differences d ON p.model = d.model AND p.device = d.device AND p.method = d.method AND p.path = d.path
GROUP BY p.model, p.device, p.method, p.path, p.before_day, p.day, p.before_dumps, p.dumps, p.before_ns, p.typical_ns
ORDER BY low_ns DESC NULLS LAST, p.model, p.device, p.method, p.path
