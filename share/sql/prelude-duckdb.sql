-- prelude-duckdb.sql: views over the tables of `etcore batch`, for the queries in this folder. Needs DuckDB 1.1 or later:
--   duckdb -cmd "SET VARIABLE farm = 'tables'" -cmd ".read prelude-duckdb.sql" -c ".read trend.sql"
-- A table without parts is empty, and a column that no part has is NULL. Times are whole ns. The views also have the columns
-- of --meta that are not listed here.
CREATE OR REPLACE TEMP TABLE farm_shape_runs (run_id VARCHAR, analysis_id VARCHAR, etcore VARCHAR, bytes BIGINT, method VARCHAR,
  load_ns DOUBLE, path BIGINT, runs BIGINT, warmup BIGINT, typical_ns DOUBLE, median_ns DOUBLE, p90_ns DOUBLE, max_ns DOUBLE,
  min_ns DOUBLE, spread DOUBLE, modified_ns BIGINT, allocated_bytes DOUBLE, allocated_max_bytes DOUBLE, date VARCHAR,
  device VARCHAR, model VARCHAR, build VARCHAR, part VARCHAR);
CREATE OR REPLACE TEMP TABLE farm_shape_rows (run_id VARCHAR, analysis_id VARCHAR, key VARCHAR, name VARCHAR, method VARCHAR,
  path BIGINT, calls DOUBLE, self_ns DOUBLE, total_ns DOUBLE, backend VARCHAR, category VARCHAR, kernel_library VARCHAR,
  kernel_library_ran VARCHAR, detached BOOLEAN, place VARCHAR, alone BOOLEAN, part VARCHAR);
CREATE OR REPLACE TEMP TABLE farm_shape_notes (run_id VARCHAR, analysis_id VARCHAR, code VARCHAR, text VARCHAR, count BIGINT,
  part VARCHAR);
CREATE OR REPLACE TEMP TABLE farm_shape_paths (run_id VARCHAR, path VARCHAR, bytes BIGINT, modified_ns BIGINT, part VARCHAR);
CREATE OR REPLACE TEMP TABLE farm_shape_errors (path VARCHAR, run_id VARCHAR, code VARCHAR, message VARCHAR, "offset" BIGINT,
  modified_ns BIGINT, part VARCHAR);
CREATE OR REPLACE TEMP TABLE farm_shape_baselines (run_id VARCHAR, analysis_id VARCHAR, baseline VARCHAR, part VARCHAR);

-- Fails if there are parts in other formats, since these would be ignored.
SET VARIABLE farm_others = (SELECT CASE WHEN count(*) > 0 THEN error('parts that are neither Parquet nor NDJSON: ' || min(file)) END
  FROM glob(getvariable('farm') || '/runs/**/part-*') WHERE file NOT LIKE '%.parquet' AND file NOT LIKE '%.ndjson');

-- The text of a query that reads all parts of a table.
CREATE OR REPLACE TEMP MACRO farm_query(name) AS (
  SELECT 'FROM farm_shape_' || name || coalesce(string_agg(DISTINCT
      ' UNION ALL BY NAME SELECT *, parse_filename(filename) AS part FROM '
      || CASE WHEN file LIKE '%.parquet' THEN 'read_parquet(' ELSE 'read_json(' END
      || 'getvariable(''farm'') || ''/' || name || '/**/part-*.' || CASE WHEN file LIKE '%.parquet' THEN 'parquet''' ELSE
         'ndjson'', format = ''newline_delimited'', sample_size = -1, convert_strings_to_integers = false' END
      || ', union_by_name = true, filename = true, hive_partitioning = false)', ''), '')
  FROM glob(getvariable('farm') || '/' || name || '/**/part-*')
  WHERE file LIKE '%.parquet' OR file LIKE '%.ndjson');
SET VARIABLE farm_runs = farm_query('runs');
SET VARIABLE farm_rows = farm_query('rows');
SET VARIABLE farm_notes = farm_query('notes');
SET VARIABLE farm_paths = farm_query('paths');
SET VARIABLE farm_errors = farm_query('errors');
SET VARIABLE farm_baselines = farm_query('baselines');

-- Rounds to a whole number; halves are rounded up in every engine.
CREATE OR REPLACE TEMP MACRO farm_whole(x) AS CAST(floor(CAST(x AS DOUBLE) + 0.5) AS BIGINT);
-- The median; of an even number of values the lower of the middle two, so that the result is one of the values.
CREATE OR REPLACE TEMP MACRO farm_median(x) AS quantile_disc(x, 0.5);
CREATE OR REPLACE TEMP MACRO farm_p90(x) AS quantile_disc(x, 0.9);
CREATE OR REPLACE TEMP MACRO farm_version(v) AS coalesce(TRY_CAST(split_part(v, '.', 1) AS BIGINT), 0) * 1000000
  + coalesce(TRY_CAST(split_part(v, '.', 2) AS BIGINT), 0) * 1000 + coalesce(TRY_CAST(split_part(v, '.', 3) AS BIGINT), 0);

-- The superseded analyses, which the views leave out. Of each dump one analysis is kept: the one by the newest etcore; among
-- several of these the one with the largest analysis_id; among copies of that, the one in the part whose name sorts last.
CREATE OR REPLACE TEMP VIEW farm_all AS FROM query(getvariable('farm_runs'));
CREATE OR REPLACE TEMP TABLE farm_old AS
  SELECT DISTINCT analysis_id, part FROM (
    SELECT analysis_id, part, first_value(part) OVER (PARTITION BY run_id ORDER BY farm_version(etcore) DESC,
      analysis_id DESC, part DESC) AS best, first_value(analysis_id) OVER (PARTITION BY run_id ORDER BY farm_version(etcore) DESC,
      analysis_id DESC, part DESC) AS newest
    FROM farm_all WHERE hash(run_id) IN (SELECT hash(run_id) FROM farm_all GROUP BY 1 -- comparing numbers is faster than comparing texts
      HAVING min(hash(part)) <> max(hash(part)) OR min(hash(analysis_id)) <> max(hash(analysis_id))))
  WHERE part <> best OR analysis_id <> newest;

CREATE OR REPLACE TEMP VIEW farm_runs AS
  SELECT * REPLACE (farm_whole(load_ns) AS load_ns, farm_whole(typical_ns) AS typical_ns, farm_whole(median_ns) AS median_ns,
      farm_whole(p90_ns) AS p90_ns, farm_whole(max_ns) AS max_ns, farm_whole(min_ns) AS min_ns,
      farm_whole(allocated_bytes) AS allocated_bytes, farm_whole(allocated_max_bytes) AS allocated_max_bytes),
    farm_whole(spread * 1000000) AS spread_ppm,
    coalesce(date, CAST(DATE '1970-01-01' + CAST(modified_ns // 86400000000000 AS INTEGER) AS VARCHAR)) AS day
  FROM farm_all WHERE (analysis_id, part) NOT IN (FROM farm_old);
CREATE OR REPLACE TEMP VIEW farm_rows AS
  SELECT * REPLACE (farm_whole(self_ns) AS self_ns, farm_whole(total_ns) AS total_ns)
  FROM query(getvariable('farm_rows')) WHERE (analysis_id, part) NOT IN (FROM farm_old);
CREATE OR REPLACE TEMP VIEW runs AS FROM farm_runs;
CREATE OR REPLACE TEMP VIEW rows AS FROM farm_rows;
CREATE OR REPLACE TEMP VIEW notes AS FROM query(getvariable('farm_notes')) WHERE (analysis_id, part) NOT IN (FROM farm_old);
CREATE OR REPLACE TEMP VIEW baselines AS FROM query(getvariable('farm_baselines'))
  WHERE (analysis_id, part) NOT IN (FROM farm_old);
CREATE OR REPLACE TEMP VIEW paths AS FROM query(getvariable('farm_paths'));
CREATE OR REPLACE TEMP VIEW errors AS FROM query(getvariable('farm_errors'));
