-- Why dumps could not be analysed. A file that was tried again counts once. example: the first of their paths.
SELECT code, count(DISTINCT path) AS files, min(message) AS message, min(path) AS example
FROM errors GROUP BY code ORDER BY files DESC, code
