-- Deletes finished executions of an instance that are not its current one.
-- p_keep: how many of the highest ids stay. p_before: only those that ended before. p_previous: how many of the version
-- before the current one stay in any case. p_thorough: whether to look far behind the first that is too young; one
-- execution ends before the next begins, so otherwise what it costs follows what it deletes.
CREATE OR REPLACE FUNCTION @.prune(
  p_key bigint, p_keep integer, p_before bigint, p_previous integer, p_thorough boolean,
  OUT o_executions bigint, OUT o_events bigint)
LANGUAGE plpgsql
@plans
AS $$
DECLARE
  v_current bigint;
  v_end bigint := 9223372036854775807;
  v_version text;
  v_kept bigint[] := '{}';
  v_over bigint[] := '{}';
  v_seen integer := 0;
  v_one record;
BEGIN
  o_executions := 0;
  o_events := 0;
  SELECT i.execution INTO v_current FROM @.instance i WHERE i.key = p_key AND i.stage = 2;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  IF p_keep > 0 THEN
    SELECT coalesce(min(e.id), 0) INTO v_end
    FROM (SELECT e.id FROM @.execution e WHERE e.instance = p_key ORDER BY e.id DESC LIMIT p_keep) e;
  END IF;
  IF p_previous > 0 THEN
    SELECT e.version INTO v_version FROM @.execution e WHERE e.instance = p_key AND e.id = v_current;
    SELECT coalesce(array_agg(x.id), '{}') INTO v_kept
    FROM (
      SELECT e.id FROM @.execution e
      WHERE e.instance = p_key AND e.version = (
        SELECT o.version FROM @.execution o
        WHERE o.instance = p_key AND o.version <> v_version ORDER BY o.id DESC LIMIT 1)
      ORDER BY e.id DESC LIMIT p_previous) x;
  END IF;
  FOR v_one IN
    SELECT e.id, e.status, e.completed_at FROM @.execution e
    WHERE e.instance = p_key AND e.id < v_end ORDER BY e.id
  LOOP
    v_seen := v_seen + 1;
    EXIT WHEN NOT p_thorough AND v_seen > 64 AND v_one.completed_at >= p_before;
    IF v_one.id <> v_current AND v_one.status <> 'Running' AND NOT v_one.id = ANY (v_kept)
      AND (p_before IS NULL OR v_one.completed_at < p_before) THEN
      v_over := v_over || v_one.id;
    END IF;
  END LOOP;
  DELETE FROM @.history h WHERE h.instance = p_key AND h.execution = ANY (v_over);
  GET DIAGNOSTICS o_events = ROW_COUNT;
  DELETE FROM @.execution e WHERE e.instance = p_key AND e.id = ANY (v_over);
  GET DIAGNOSTICS o_executions = ROW_COUNT;
END $$;

