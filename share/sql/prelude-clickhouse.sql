-- prelude-clickhouse.sql: the views of prelude-duckdb.sql for ClickHouse 24.10 and later (clickhouse-local, chDB). The files
-- must be in a folder that the server may read:
--   cat prelude-clickhouse.sql trend.sql | clickhouse local --param_farm=tables
-- A ClickHouse service can have tables with these columns in place of the views farm_all and farm_all_rows.
SET join_use_nulls = 1, cast_keep_nullable = 1, use_hive_partitioning = 0;
CREATE OR REPLACE FUNCTION farm_files AS (name, form) -> concat({farm:String}, '/', name, '/**/part-*.', form);
-- The columns of each table; a column that a part does not have is NULL.
CREATE OR REPLACE FUNCTION farm_shape AS (name) -> multiIf(
  name = 'runs', 'run_id Nullable(String), analysis_id Nullable(String),
    etcore Nullable(String), bytes Nullable(Int64), method Nullable(String), load_ns Nullable(Float64), path Nullable(Int64),
    runs Nullable(Int64), warmup Nullable(Int64), typical_ns Nullable(Float64), median_ns Nullable(Float64),
    p90_ns Nullable(Float64), max_ns Nullable(Float64), min_ns Nullable(Float64), spread Nullable(Float64),
    modified_ns Nullable(Int64), allocated_bytes Nullable(Float64), allocated_max_bytes Nullable(Float64),
    date Nullable(String), device Nullable(String), model Nullable(String), build Nullable(String)',
  name = 'rows', 'run_id Nullable(String), analysis_id Nullable(String),
    key Nullable(String), name Nullable(String), method Nullable(String), path Nullable(Int64), calls Nullable(Float64),
    self_ns Nullable(Float64), total_ns Nullable(Float64), backend Nullable(String), category Nullable(String),
    kernel_library Nullable(String), kernel_library_ran Nullable(String), detached Nullable(Bool), place Nullable(String),
    alone Nullable(Bool)',
  name = 'notes', 'run_id Nullable(String),
    analysis_id Nullable(String), code Nullable(String), text Nullable(String), count Nullable(Int64)',
  name = 'paths', 'run_id Nullable(String), path Nullable(String),
    bytes Nullable(Int64), modified_ns Nullable(Int64)',
  name = 'baselines', 'run_id Nullable(String), analysis_id Nullable(String), baseline Nullable(String)',
  'path Nullable(String), run_id Nullable(String),
    code Nullable(String), message Nullable(String), offset Nullable(Int64), modified_ns Nullable(Int64)');
CREATE OR REPLACE FUNCTION farm_whole AS (x) -> CAST(floor(x + 0.5) AS Nullable(Int64));
CREATE OR REPLACE FUNCTION farm_median AS (x) -> quantileExactLow(0.5)(x);
CREATE OR REPLACE FUNCTION farm_p90 AS (x) -> quantileExactLow(0.9)(x);
CREATE OR REPLACE FUNCTION farm_number AS (v, i) -> toInt64OrZero(splitByChar('.', ifNull(v, ''))[i]);
CREATE OR REPLACE FUNCTION farm_version AS (v) -> farm_number(v, 1) * 1000000 + farm_number(v, 2) * 1000 + farm_number(v, 3);

CREATE OR REPLACE VIEW farm_all AS
  SELECT *, _file AS part FROM file(farm_files('runs', 'parquet'), 'Parquet', farm_shape('runs'))
  UNION ALL SELECT *, _file AS part FROM file(farm_files('runs', 'ndjson'), 'JSONEachRow', farm_shape('runs'));
CREATE OR REPLACE VIEW farm_all_rows AS
  SELECT *, _file AS part FROM file(farm_files('rows', 'parquet'), 'Parquet', farm_shape('rows'))
  UNION ALL SELECT *, _file AS part FROM file(farm_files('rows', 'ndjson'), 'JSONEachRow', farm_shape('rows'));
CREATE OR REPLACE TABLE farm_old ENGINE = Memory AS
  SELECT DISTINCT assumeNotNull(analysis_id) AS analysis_id, part FROM (
    SELECT analysis_id, part, first_value(part) OVER (PARTITION BY run_id ORDER BY farm_version(etcore) DESC,
      analysis_id DESC, part DESC) AS best, first_value(analysis_id) OVER (PARTITION BY run_id ORDER BY farm_version(etcore) DESC,
      analysis_id DESC, part DESC) AS newest
    FROM farm_all WHERE run_id IN (SELECT run_id FROM farm_all GROUP BY run_id
      HAVING min(part) <> max(part) OR min(analysis_id) <> max(analysis_id)))
  WHERE part <> best OR analysis_id <> newest;

CREATE OR REPLACE VIEW runs AS
  SELECT * REPLACE (farm_whole(load_ns) AS load_ns, farm_whole(typical_ns) AS typical_ns, farm_whole(median_ns) AS median_ns,
      farm_whole(p90_ns) AS p90_ns, farm_whole(max_ns) AS max_ns, farm_whole(min_ns) AS min_ns,
      farm_whole(allocated_bytes) AS allocated_bytes, farm_whole(allocated_max_bytes) AS allocated_max_bytes),
    farm_whole(spread * 1000000) AS spread_ppm,
    coalesce(date, toString(addDays(toDate32('1970-01-01'), intDiv(modified_ns, 86400000000000)))) AS day
  FROM farm_all WHERE (analysis_id, part) NOT IN (SELECT analysis_id, part FROM farm_old);
CREATE OR REPLACE VIEW rows AS
  SELECT * REPLACE (farm_whole(self_ns) AS self_ns, farm_whole(total_ns) AS total_ns)
  FROM farm_all_rows WHERE (analysis_id, part) NOT IN (SELECT analysis_id, part FROM farm_old);
CREATE OR REPLACE VIEW notes AS
  SELECT * FROM (SELECT *, _file AS part FROM file(farm_files('notes', 'parquet'), 'Parquet', farm_shape('notes'))
  UNION ALL SELECT *, _file AS part FROM file(farm_files('notes', 'ndjson'), 'JSONEachRow', farm_shape('notes')))
  WHERE (analysis_id, part) NOT IN (SELECT analysis_id, part FROM farm_old);
CREATE OR REPLACE VIEW baselines AS
  SELECT * FROM (SELECT *, _file AS part FROM file(farm_files('baselines', 'parquet'), 'Parquet', farm_shape('baselines'))
  UNION ALL SELECT *, _file AS part FROM file(farm_files('baselines', 'ndjson'), 'JSONEachRow', farm_shape('baselines')))
  WHERE (analysis_id, part) NOT IN (SELECT analysis_id, part FROM farm_old);
CREATE OR REPLACE VIEW paths AS
  SELECT *, _file AS part FROM file(farm_files('paths', 'parquet'), 'Parquet', farm_shape('paths'))
  UNION ALL SELECT *, _file AS part FROM file(farm_files('paths', 'ndjson'), 'JSONEachRow', farm_shape('paths'));
CREATE OR REPLACE VIEW errors AS
  SELECT *, _file AS part FROM file(farm_files('errors', 'parquet'), 'Parquet', farm_shape('errors'))
  UNION ALL SELECT *, _file AS part FROM file(farm_files('errors', 'ndjson'), 'JSONEachRow', farm_shape('errors'));
