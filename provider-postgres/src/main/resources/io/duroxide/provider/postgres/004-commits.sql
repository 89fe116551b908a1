-- Gives the held activities of instances rows of their own again. All of the instances stay locked, in the order in which
-- everyone locks them.
CREATE FUNCTION @.settle_v1(p_keys bigint[]) RETURNS void
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_mergejoin = off SET enable_hashjoin = off
SET jit = off
AS $$
DECLARE
  v_held bigint[];
BEGIN
  PERFORM FROM @.instance i WHERE i.key = ANY (p_keys) ORDER BY i.key FOR NO KEY UPDATE;
  SELECT array_agg(i.key) INTO v_held FROM @.instance i WHERE i.key = ANY (p_keys) AND i.held_activity IS NOT NULL;
  IF v_held IS NULL THEN
    RETURN;
  END IF;
  UPDATE @.work w SET activity = i.held_activity, token = i.held_token, wake_at = i.held_until, attempts = 1,
    name = i.held_name, tag = i.held_tag, payload = NULL
  FROM unnest(v_held) x(key)
  CROSS JOIN LATERAL (SELECT k.* FROM @.instance k WHERE k.key = x.key OFFSET 0) i
  WHERE w.instance = x.key AND w.instance = ANY (v_held) AND w.execution = i.execution AND w.activity = 0;
  UPDATE @.instance i SET held_activity = NULL, held_token = NULL, held_until = NULL, held_lock = NULL, held_name = NULL,
    held_tag = NULL
  WHERE i.key = ANY (v_held);
END $$;

-- Commits turns. All arrays of one letter have one length; those of t, m and f have an entry for each turn, the others
-- name its position. Arrays without entries are null.
--
-- t: the turn: its instance, the lock, its execution, its smallest and largest event id, and whether this is the second
--    try of a commit whose answer was lost.
-- f: turns that follow from an activity and hold no lock. The activity is removed; the turn happens only if nothing else
--    has happened since the commit f_tip, whose last event was f_last. t_token only names the new commit.
-- m: what to note about the execution; start: as the start among its events says.
-- d: what to prune of the instance, once the turn is committed.
-- k: changes of values, one for each key: op 0 clears all, before the others; 1 sets, 2 clears.
-- e: events. w: activities; those with a token are locked from the beginning; owner: the instance, if it is another.
-- c: activities to cancel. s: messages to send.
--
-- Verdicts: 0 committed, 1 lock lost, 2 an event is stored already, 3 something else has happened, 4 committed before.
-- next: when the instance has its next message. executions, events: how many were pruned; error: why none were.
CREATE FUNCTION @.commit_turns_v1(
  p_now bigint, p_node bigint,
  t_key bigint[], t_token uuid[], t_execution bigint[], t_oldest bigint[], t_newest bigint[], t_again boolean[],
  f_instance bigint[], f_execution bigint[], f_activity bigint[], f_token uuid[], f_tip uuid[], f_last bigint[],
  m_any boolean[], m_name text[], m_version text[], m_parent text[], m_parent_execution bigint[], m_parent_event bigint[],
  m_status text[], m_output text[], m_pin text[],
  m_carried integer[], m_execution_version text[], m_start_name text[], m_start_version text[], m_start_carried integer[],
  m_custom boolean[], m_custom_status text[],
  d_any boolean[], d_keep integer[], d_before bigint[], d_previous integer[],
  k_turn integer[], k_op smallint[], k_key text[], k_at bigint[], k_value text[],
  e_turn integer[], e_event bigint[], e_data text[],
  w_turn integer[], w_owner text[], w_execution bigint[], w_activity bigint[], w_name text[], w_tag text[],
  w_session text[], w_payload text[], w_token uuid[], w_lock bigint[],
  c_turn integer[], c_owner text[], c_execution bigint[], c_activity bigint[],
  s_turn integer[], s_ids text[], s_kinds smallint[], s_fire_at bigint[], s_parents text[], s_names text[],
  s_versions text[], s_payloads text[])
RETURNS TABLE (o_verdict integer, o_next bigint, o_executions bigint, o_events bigint, o_error text)
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_mergejoin = off SET enable_hashjoin = off
SET jit = off
AS $$
DECLARE
  v_now bigint;
  v_verdict integer[];
  v_good boolean[];
  v_loud boolean[];
  v_suspect boolean;
  v_turn integer;
  v_new boolean[];
  v_any_loud boolean;
  v_any_locked boolean;
  v_tuples tid[];
  v_merge boolean;
  v_large boolean;
  v_key bigint;
  v_batch bigint[];
  v_until bigint;
  v_owners bigint[];
  v_session text;
  v_executions bigint;
  v_events bigint;
  v_pruned bigint[];
  v_pruned_events bigint[];
  v_errors text[];
BEGIN
  PERFORM FROM @.instance i WHERE i.key = ANY (t_key) ORDER BY i.key FOR NO KEY UPDATE;
  IF EXISTS (SELECT FROM @.instance i WHERE i.key = ANY (t_key) AND i.held_activity IS NOT NULL) THEN
    PERFORM @.settle_v1(t_key);
  END IF;
  v_now := coalesce(p_now, (extract(epoch FROM clock_timestamp()) * 1000)::bigint);

  SELECT array_agg(
      CASE
        WHEN x.tip IS NOT NULL THEN
          CASE
            WHEN NOT EXISTS (
              SELECT FROM @.work w WHERE w.instance = x.work_instance AND w.execution = x.work_execution
              AND w.activity = x.work_activity AND w.token = x.work_token AND w.wake_at > v_now) THEN
              CASE WHEN x.again AND i.commit_token = x.token THEN 4 ELSE 1 END
            WHEN i.commit_token = x.tip AND i.stage = 2 AND i.execution = x.execution AND i.last_event = x.last
              AND i.locked_until <= v_now
              AND NOT EXISTS (SELECT FROM @.message m WHERE m.instance = i.key AND m.visible_at <= v_now) THEN 0
            ELSE 3
          END
        WHEN i.lock_token = x.token AND i.locked_until > v_now THEN 0
        WHEN x.again AND i.commit_token = x.token THEN 4
        ELSE 1
      END ORDER BY x.ord),
    bool_or(i.stage = 1 OR (i.stage = 2 AND (x.oldest <= i.last_event OR x.execution <> i.execution))),
    array_agg(coalesce(x.noted, false) OR i.stage IS DISTINCT FROM 2 OR i.execution <> x.execution ORDER BY x.ord),
    bool_or(coalesce(x.noted, false) OR i.stage IS DISTINCT FROM 2 OR i.execution <> x.execution),
    array_agg(coalesce(i.stage = 0, false) ORDER BY x.ord),
    array_agg(i.tuple ORDER BY x.ord),
    bool_or(x.tip IS NULL),
    bool_or(i.has_values AND x.status <> 'Running'),
    bool_or(cardinality(i.batch) > 100)
  INTO v_verdict, v_suspect, v_loud, v_any_loud, v_new, v_tuples, v_any_locked, v_merge, v_large
  FROM unnest(t_key, t_token, t_execution, t_oldest, t_again, f_instance, f_execution, f_activity, f_token, f_tip, f_last,
      m_any, m_status)
    WITH ORDINALITY x(key, token, execution, oldest, again, work_instance, work_execution, work_activity, work_token, tip,
      last, noted, status, ord)
  LEFT JOIN LATERAL (SELECT k.ctid AS tuple, k.* FROM @.instance k WHERE k.key = x.key OFFSET 0) i ON true;

  IF v_suspect THEN
    FOR v_turn IN
      SELECT DISTINCT e.turn FROM unnest(e_turn, e_event) e(turn, event)
      WHERE v_verdict[e.turn] = 0 AND EXISTS (
        SELECT FROM @.history h
        WHERE h.instance = t_key[e.turn] AND h.execution = t_execution[e.turn] AND h.event = e.event OFFSET 0)
    LOOP
      v_verdict[v_turn] := 2;
    END LOOP;
  END IF;
  SELECT array_agg(x.verdict = 0 ORDER BY x.ord) INTO v_good FROM unnest(v_verdict) WITH ORDINALITY x(verdict, ord);

  -- What the turns have used up. Their instances are locked, so those and their messages stay where they are. A message of
  -- the batch was visible before the lock ends; by a clock that was set back since, it may not be visible now.
  IF v_any_locked THEN
    DELETE FROM @.message m
    USING (
      SELECT g.tuple
      FROM unnest(t_key) WITH ORDINALITY x(key, ord)
      CROSS JOIN LATERAL (SELECT k.batch, k.locked_until FROM @.instance k WHERE k.key = x.key OFFSET 0) i
      CROSS JOIN LATERAL (
        SELECT m.ctid AS tuple FROM @.message m
        WHERE m.instance = x.key AND m.visible_at < i.locked_until AND m.seq = ANY (i.batch) OFFSET 0) g
      WHERE v_good[x.ord] AND cardinality(i.batch) <= 100
      OFFSET 0) x
    WHERE m.ctid = x.tuple;
  END IF;
  IF v_large THEN
    -- Comparing each message with each of the batch would take too long.
    FOR v_key, v_batch, v_until IN
      SELECT i.key, i.batch, i.locked_until
      FROM unnest(t_key) WITH ORDINALITY x(key, ord) JOIN @.instance i ON i.key = x.key
      WHERE v_good[x.ord] AND i.key = ANY (t_key) AND cardinality(i.batch) > 100
    LOOP
      DELETE FROM @.message m
      WHERE m.instance = v_key AND m.visible_at < v_until AND m.seq IN (SELECT unnest(v_batch));
    END LOOP;
  END IF;
  IF f_tip IS NOT NULL THEN
    -- Nothing holds an activity from the look at its lock to this: only a lock that holds now counts.
    v_now := coalesce(p_now, (extract(epoch FROM clock_timestamp()) * 1000)::bigint);
    -- One by one: a join would have to compare each activity with the arrays of all.
    FOR n IN 1 .. cardinality(t_key) LOOP
      CONTINUE WHEN NOT v_good[n] OR f_tip[n] IS NULL;
      DELETE FROM @.work w
      WHERE w.instance = f_instance[n] AND w.execution = f_execution[n] AND w.activity = f_activity[n]
        AND w.token = f_token[n] AND w.wake_at > v_now
      RETURNING w.session INTO v_session;
      IF NOT FOUND THEN
        RAISE EXCEPTION 'the lock of activity % of instance % has ended meanwhile', f_activity[n], f_instance[n]
          USING ERRCODE = '40001';
      END IF;
      IF v_session IS NOT NULL THEN
        PERFORM @.touch_sessions_v1(v_now, ARRAY[v_session]);
      END IF;
    END LOOP;
  END IF;

  -- Executions and events.
  IF m_any IS NOT NULL THEN
    FOR n IN 1 .. cardinality(t_key) LOOP
      CONTINUE WHEN NOT v_good[n] OR NOT m_any[n] OR v_new[n];
      UPDATE @.execution e SET
        status = coalesce(m_status[n], e.status),
        output = CASE WHEN m_status[n] IS NULL THEN e.output ELSE m_output[n] END,
        completed_at = CASE WHEN m_status[n] IS NULL THEN e.completed_at WHEN m_status[n] <> 'Running' THEN v_now END,
        pin = coalesce(m_pin[n], e.pin),
        carried = coalesce(m_carried[n], e.carried, m_start_carried[n]),
        version = coalesce(m_execution_version[n], e.version),
        start_name = coalesce(e.start_name, m_start_name[n]),
        start_version = CASE WHEN e.start_name IS NULL THEN m_start_version[n] ELSE e.start_version END
      WHERE e.instance = t_key[n] AND e.id = t_execution[n];
    END LOOP;
  END IF;
  IF v_any_loud THEN
    INSERT INTO @.execution (instance, id, started_at, completed_at, carried, status, pin, version, start_name,
      start_version, output)
    SELECT x.key, x.execution, v_now, CASE WHEN x.status <> 'Running' THEN v_now END,
      coalesce(x.carried, x.start_carried), coalesce(x.status, 'Running'), x.pin, x.version, x.start_name,
      x.start_version, CASE WHEN x.status IS NOT NULL THEN x.output END
    FROM unnest(t_key, t_execution, m_status, m_output, m_pin, m_carried, m_execution_version, m_start_name,
        m_start_version, m_start_carried)
      WITH ORDINALITY x(key, execution, status, output, pin, carried, version, start_name, start_version, start_carried,
        ord)
    WHERE v_good[x.ord] AND v_loud[x.ord]
    ON CONFLICT (instance, id) DO NOTHING;
  END IF;
  INSERT INTO @.history (instance, execution, event, data)
  SELECT t_key[e.turn], t_execution[e.turn], e.event, e.data
  FROM unnest(e_turn, e_event, e_data) e(turn, event, data)
  WHERE v_good[e.turn];

  -- The instances.
  UPDATE @.instance i SET
    lock_token = NULL, locked_until = 0, batch = NULL, commit_token = x.token, committed_by = p_node, updated_at = v_now,
    last_event = greatest(i.last_event, x.newest)
  FROM unnest(v_tuples, t_token, t_newest) WITH ORDINALITY x(tuple, token, newest, ord)
  WHERE v_good[x.ord] AND NOT v_loud[x.ord] AND i.ctid = x.tuple;
  IF v_any_loud THEN
    UPDATE @.instance i SET
      lock_token = NULL, locked_until = 0, batch = NULL, commit_token = x.token, committed_by = p_node, updated_at = v_now,
      stage = CASE WHEN x.version IS NOT NULL OR i.stage = 2 THEN 2 ELSE 1 END,
      name = CASE WHEN x.version IS NOT NULL THEN x.name ELSE i.name END,
      version = coalesce(x.version, i.version),
      parent = CASE WHEN x.version IS NOT NULL AND i.stage < 2 THEN x.parent ELSE i.parent END,
      parent_execution = CASE WHEN x.version IS NOT NULL AND i.stage < 2 THEN x.parent_execution ELSE i.parent_execution END,
      parent_event = CASE WHEN x.version IS NOT NULL AND i.stage < 2 THEN x.parent_event ELSE i.parent_event END,
      created_at = CASE WHEN x.version IS NOT NULL AND i.stage < 2 THEN v_now ELSE i.created_at END,
      execution = greatest(i.execution, x.execution),
      last_event = CASE
        WHEN i.stage = 2 AND x.execution = i.execution THEN greatest(i.last_event, x.newest)
        WHEN i.stage = 2 AND x.execution < i.execution THEN i.last_event
        WHEN i.stage = 0 THEN x.newest
        ELSE (
          SELECT coalesce(max(h.event), 0) FROM @.history h
          WHERE h.instance = i.key AND h.execution = greatest(i.execution, x.execution))
      END,
      (status, completed_at, pin) = (
        SELECT e.status, e.completed_at, e.pin FROM @.execution e
        WHERE e.instance = i.key AND e.id = greatest(i.execution, x.execution)
          AND (x.version IS NOT NULL OR i.stage = 2))
    FROM unnest(v_tuples, t_token, t_execution, t_newest, m_name, m_version, m_parent, m_parent_execution,
        m_parent_event)
      WITH ORDINALITY x(tuple, token, execution, newest, name, version, parent, parent_execution, parent_event, ord)
    WHERE v_good[x.ord] AND v_loud[x.ord] AND i.ctid = x.tuple;
  END IF;
  IF true = ANY (v_new) THEN
    UPDATE @.message m SET parked = false
    FROM unnest(t_key) WITH ORDINALITY x(key, ord)
    WHERE v_good[x.ord] AND m.instance = x.key AND m.instance = ANY (t_key) AND m.parked;
  END IF;

  -- Values and custom statuses.
  IF k_turn IS NOT NULL THEN
    PERFORM @.change_values_v1(v_now, t_key, v_good, k_turn, k_op, k_key, k_at, k_value);
  END IF;
  IF m_custom IS NOT NULL THEN
    INSERT INTO @.custom_status AS c (instance, version, status)
    SELECT x.key, 1, x.status
    FROM unnest(t_key, m_custom, m_custom_status) WITH ORDINALITY x(key, custom, status, ord)
    JOIN @.instance i ON i.key = x.key AND i.key = ANY (t_key) AND i.stage > 1
    WHERE v_good[x.ord] AND x.custom
    ON CONFLICT (instance) DO UPDATE SET version = c.version + 1, status = excluded.status;
  END IF;
  IF v_merge OR (k_turn IS NOT NULL AND m_status IS NOT NULL) THEN
    PERFORM @.merge_values_v1(array_agg(x.key))
    FROM unnest(t_key, m_status) WITH ORDINALITY x(key, status, ord)
    WHERE v_good[x.ord] AND x.status <> 'Running';
  END IF;

  -- Activities, then what is cancelled, then messages.
  IF w_turn IS NOT NULL THEN
    IF w_owner IS NOT NULL THEN
      SELECT a.o_keys INTO v_owners FROM @.owners_v1(w_owner, w_turn, t_key, v_good) a;
    END IF;
    INSERT INTO @.work (instance, execution, activity, wake_at, token, attempts, ready, name, tag, session, payload)
    SELECT coalesce(w.owner, t_key[w.turn]), w.execution, w.activity, v_now + coalesce(w.lock, 0), w.token,
      CASE WHEN w.token IS NULL THEN 0 ELSE 1 END, w.token IS NULL, w.name, w.tag, w.session, w.payload
    FROM unnest(w_turn, v_owners, w_execution, w_activity, w_name, w_tag, w_session, w_payload, w_token, w_lock)
      WITH ORDINALITY w(turn, owner, execution, activity, name, tag, session, payload, token, lock, ord)
    WHERE v_good[w.turn]
    ORDER BY w.ord;
  END IF;
  IF c_turn IS NOT NULL THEN
    IF c_owner IS NOT NULL THEN
      PERFORM @.settle_v1(ARRAY(SELECT i.key FROM @.instance i WHERE i.id = ANY (c_owner)));
    END IF;
    WITH held AS MATERIALIZED (
      SELECT w.instance, w.execution, w.activity, w.seq
      FROM (
        SELECT coalesce(i.key, t_key[c.turn]) AS instance, c.execution, c.activity
        FROM unnest(c_turn, c_owner, c_execution, c_activity) c(turn, owner, execution, activity)
        LEFT JOIN @.instance i ON i.id = c.owner AND i.id = ANY (c_owner)
        WHERE v_good[c.turn] AND (c.owner IS NULL OR i.key IS NOT NULL)) c
      JOIN @.work w ON w.instance = c.instance AND w.execution = c.execution AND w.activity = c.activity
      ORDER BY 1, 2, 3, 4
      FOR UPDATE OF w)
    DELETE FROM @.work w USING held h
    WHERE w.instance = h.instance AND w.execution = h.execution AND w.activity = h.activity AND w.seq = h.seq;
  END IF;
  IF s_turn IS NOT NULL THEN
    IF false = ANY (v_good) THEN
      SELECT array_agg(s.id ORDER BY s.ord), array_agg(s.kind ORDER BY s.ord), array_agg(s.fire_at ORDER BY s.ord),
        array_agg(s.parent ORDER BY s.ord), array_agg(s.name ORDER BY s.ord), array_agg(s.version ORDER BY s.ord),
        array_agg(s.payload ORDER BY s.ord)
      INTO s_ids, s_kinds, s_fire_at, s_parents, s_names, s_versions, s_payloads
      FROM unnest(s_turn, s_ids, s_kinds, s_fire_at, s_parents, s_names, s_versions, s_payloads)
        WITH ORDINALITY s(turn, id, kind, fire_at, parent, name, version, payload, ord)
      WHERE v_good[s.turn];
    END IF;
    IF s_ids IS NOT NULL THEN
      PERFORM @.send_v1(v_now, true, s_ids, s_kinds, NULL, s_fire_at, s_parents, s_names, s_versions, s_payloads);
    END IF;
  END IF;

  -- What fails here is undone and does not harm the turn.
  IF d_any IS NOT NULL THEN
    FOR v_turn IN 1 .. cardinality(t_key) LOOP
      CONTINUE WHEN NOT v_good[v_turn] OR NOT d_any[v_turn];
      BEGIN
        SELECT p.o_executions, p.o_events INTO v_executions, v_events
        FROM @.prune_v1(t_key[v_turn], d_keep[v_turn], d_before[v_turn], d_previous[v_turn], false) p;
        v_pruned[v_turn] := v_executions;
        v_pruned_events[v_turn] := v_events;
      EXCEPTION WHEN OTHERS THEN
        v_errors[v_turn] := SQLERRM;
      END;
    END LOOP;
  END IF;

  RETURN QUERY
    SELECT x.verdict, CASE WHEN x.verdict = 0 THEN (
        SELECT m.visible_at FROM @.message m WHERE m.instance = x.key AND NOT m.parked
        ORDER BY m.visible_at, m.seq LIMIT 1)
      END,
      v_pruned[x.ord], v_pruned_events[x.ord], v_errors[x.ord]
    FROM unnest(v_verdict, t_key) WITH ORDINALITY x(verdict, key, ord)
    ORDER BY x.ord;
END $$;

-- Why a turn that follows from an activity was not committed: 1 the lock of the activity is lost, 3 something else has
-- happened; null if this is not for certain.
CREATE FUNCTION @.why_not_v1(
  p_now bigint, p_key bigint, p_execution bigint,
  f_execution bigint, f_activity bigint, f_token uuid, f_tip uuid, f_last bigint) RETURNS integer
LANGUAGE plpgsql
AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM @.work w WHERE w.instance = p_key AND w.execution = f_execution AND w.activity = f_activity
    AND w.token = f_token AND w.wake_at > p_now) THEN
    RETURN 1;
  END IF;
  RETURN (
    SELECT CASE
      WHEN i.commit_token = f_tip AND i.stage > 1 AND i.execution = p_execution AND i.last_event = f_last
        AND i.locked_until <= p_now
        AND NOT EXISTS (SELECT FROM @.message m WHERE m.instance = p_key AND m.visible_at <= p_now) THEN NULL
      ELSE 3
    END
    FROM @.instance i WHERE i.key = p_key);
END $$;

-- Commits one turn of the usual kind: one that changes no values and no custom status, cancels, prunes and sends nothing,
-- and asks for at most one activity. The same as commit_turns_v1, but without arrays, which cost more than the statements.
-- Parameters are called as they are there; events are numbered from p_oldest on. Verdict 0: committed; null: something is
-- in its way, nothing was done, and commit_turns_v1 has to say what. Others are as there. A turn that follows from an
-- activity leaves messages and their time as they were, so it does not say when the next one comes.
CREATE FUNCTION @.commit_turn_v1(
  p_now bigint, p_node bigint,
  p_key bigint, p_token uuid, p_execution bigint, p_oldest bigint, p_newest bigint,
  f_execution bigint, f_activity bigint, f_token uuid, f_tip uuid, f_last bigint,
  m_any boolean, m_name text, m_version text, m_parent text, m_parent_execution bigint, m_parent_event bigint,
  m_status text, m_output text, m_pin text,
  m_carried integer, m_execution_version text, m_start_name text, m_start_version text, m_start_carried integer,
  e_data text[],
  w_activity bigint, w_name text, w_tag text, w_session text, w_payload text, w_token uuid, w_lock bigint,
  OUT o_verdict integer, OUT o_next bigint)
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET jit = off
AS $$
DECLARE
  v_now bigint;
  v_one record;
  v_new boolean := false;
  v_session text;
BEGIN
  v_now := coalesce(p_now, (extract(epoch FROM clock_timestamp()) * 1000)::bigint);
  IF f_tip IS NOT NULL THEN
    -- Here the row is locked and looked at by its update.
    UPDATE @.instance i SET
      lock_token = NULL, locked_until = 0, batch = NULL, commit_token = p_token, committed_by = p_node,
      updated_at = v_now, last_event = greatest(i.last_event, p_newest), status = coalesce(m_status, i.status),
      completed_at = CASE WHEN m_status IS NULL THEN i.completed_at WHEN m_status <> 'Running' THEN v_now END,
      pin = coalesce(m_pin, i.pin),
      name = CASE WHEN m_version IS NOT NULL THEN m_name ELSE i.name END,
      version = coalesce(m_version, i.version)
    WHERE i.key = p_key AND i.commit_token = f_tip AND i.stage > 1 AND i.execution = p_execution
      AND i.last_event = f_last AND p_oldest > f_last AND i.locked_until <= v_now
      AND (m_status IS NULL OR NOT i.has_values)
      AND NOT EXISTS (SELECT FROM @.message m WHERE m.instance = p_key AND m.visible_at <= v_now)
      AND EXISTS (
        SELECT FROM @.work w WHERE w.instance = p_key AND w.execution = f_execution AND w.activity = f_activity
        AND w.token = f_token AND w.wake_at > v_now);
    IF NOT FOUND THEN
      o_verdict := @.why_not_v1(v_now, p_key, p_execution, f_execution, f_activity, f_token, f_tip, f_last);
      RETURN;
    END IF;
    -- The update may have waited for others: only a lock that holds now counts.
    v_now := coalesce(p_now, (extract(epoch FROM clock_timestamp()) * 1000)::bigint);
    DELETE FROM @.work w
    WHERE w.instance = p_key AND w.execution = f_execution AND w.activity = f_activity AND w.token = f_token
      AND w.wake_at > v_now
    RETURNING w.session INTO v_session;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'the lock of activity % of instance % has ended meanwhile', f_activity, p_key
        USING ERRCODE = '40001';
    END IF;
    IF v_session IS NOT NULL THEN
      PERFORM @.touch_sessions_v1(v_now, ARRAY[v_session]);
    END IF;
  ELSE
    SELECT i.stage, i.lock_token, i.locked_until, i.batch, i.execution, i.last_event, i.has_values
    INTO v_one FROM @.instance i WHERE i.key = p_key FOR NO KEY UPDATE;
    v_now := coalesce(p_now, (extract(epoch FROM clock_timestamp()) * 1000)::bigint);
    IF NOT FOUND OR v_one.lock_token IS DISTINCT FROM p_token OR v_one.locked_until <= v_now
      OR v_one.has_values OR cardinality(v_one.batch) > 100 OR v_one.stage = 1
      OR (v_one.stage = 0 AND (NOT m_any OR m_version IS NULL))
      OR (v_one.stage = 2 AND (p_oldest <= v_one.last_event OR p_execution <> v_one.execution)) THEN
      RETURN;
    END IF;
    DELETE FROM @.message m
    WHERE m.instance = p_key AND m.visible_at < v_one.locked_until AND m.seq = ANY (v_one.batch);
    UPDATE @.instance i SET
      lock_token = NULL, locked_until = 0, batch = NULL, commit_token = p_token, committed_by = p_node,
      updated_at = v_now, last_event = greatest(i.last_event, p_newest), execution = p_execution, stage = 2,
      status = coalesce(m_status, i.status, 'Running'),
      completed_at = CASE WHEN m_status IS NULL THEN i.completed_at WHEN m_status <> 'Running' THEN v_now END,
      pin = coalesce(m_pin, i.pin),
      name = CASE WHEN m_version IS NOT NULL THEN m_name ELSE i.name END,
      version = coalesce(m_version, i.version),
      created_at = CASE i.stage WHEN 0 THEN v_now ELSE i.created_at END,
      parent = CASE i.stage WHEN 0 THEN m_parent ELSE i.parent END,
      parent_execution = CASE i.stage WHEN 0 THEN m_parent_execution ELSE i.parent_execution END,
      parent_event = CASE i.stage WHEN 0 THEN m_parent_event ELSE i.parent_event END
    WHERE i.key = p_key;
    v_new := v_one.stage = 0;
    IF v_new THEN
      UPDATE @.message m SET parked = false WHERE m.instance = p_key AND m.parked;
    END IF;
    SELECT m.visible_at INTO o_next FROM @.message m WHERE m.instance = p_key AND NOT m.parked
    ORDER BY m.visible_at, m.seq LIMIT 1;
  END IF;

  INSERT INTO @.history (instance, execution, event, data)
  SELECT p_key, p_execution, p_oldest - 1 + e.ord, e.data FROM unnest(e_data) WITH ORDINALITY e(data, ord);
  IF v_new THEN
    INSERT INTO @.execution (instance, id, started_at, completed_at, carried, status, pin, version, start_name,
      start_version, output)
    VALUES (p_key, p_execution, v_now, CASE WHEN m_status <> 'Running' THEN v_now END,
      coalesce(m_carried, m_start_carried), coalesce(m_status, 'Running'), m_pin, m_execution_version,
      m_start_name, m_start_version, CASE WHEN m_status IS NOT NULL THEN m_output END);
  ELSIF m_any THEN
    UPDATE @.execution e SET
      status = coalesce(m_status, e.status),
      output = CASE WHEN m_status IS NULL THEN e.output ELSE m_output END,
      completed_at = CASE WHEN m_status IS NULL THEN e.completed_at WHEN m_status <> 'Running' THEN v_now END,
      pin = coalesce(m_pin, e.pin),
      carried = coalesce(m_carried, e.carried, m_start_carried),
      version = coalesce(m_execution_version, e.version),
      start_name = coalesce(e.start_name, m_start_name),
      start_version = CASE WHEN e.start_name IS NULL THEN m_start_version ELSE e.start_version END
    WHERE e.instance = p_key AND e.id = p_execution;
  END IF;
  IF w_activity IS NOT NULL THEN
    INSERT INTO @.work (instance, execution, activity, wake_at, token, attempts, ready, name, tag, session, payload)
    VALUES (p_key, p_execution, w_activity, v_now + coalesce(w_lock, 0), w_token,
      CASE WHEN w_token IS NULL THEN 0 ELSE 1 END, w_token IS NULL, w_name, w_tag, w_session, w_payload);
  END IF;
  o_verdict := 0;
END $$;

-- Commits one step of a chain: the outcome of an activity and the next activity, which is locked from the beginning, are
-- all there is to it. The same as commit_turn_v1 with as little as it takes: two events, which follow f_last, and both
-- activities of the same execution. That the first one's lock holds is seen when it is removed; if not, the attempt fails
-- and commit_turns_v1 has to say why.
-- w_hold: the next one may be held, as its event and the orchestration's name and version say all there is to it. Verdict 5:
-- committed, and it is held.
CREATE FUNCTION @.commit_step_v1(
  p_now bigint, p_node bigint,
  p_key bigint, p_token uuid, p_execution bigint,
  f_activity bigint, f_token uuid, f_tip uuid, f_last bigint,
  e_first text, e_second text,
  w_activity bigint, w_name text, w_tag text, w_session text, w_payload text, w_token uuid, w_lock bigint,
  w_hold boolean, w_orchestration text, w_version text)
RETURNS integer
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET jit = off
AS $$
DECLARE
  v_now bigint := coalesce(p_now, (extract(epoch FROM clock_timestamp()) * 1000)::bigint);
  v_session text;
BEGIN
  UPDATE @.instance i SET
    lock_token = NULL, locked_until = 0, batch = NULL, commit_token = p_token, committed_by = p_node,
    updated_at = v_now, last_event = f_last + 2
  WHERE i.key = p_key AND i.commit_token = f_tip AND i.stage > 1 AND i.execution = p_execution
    AND i.last_event = f_last AND i.locked_until <= v_now
    AND NOT EXISTS (SELECT FROM @.message m WHERE m.instance = p_key AND m.visible_at <= v_now);
  IF NOT FOUND THEN
    RETURN @.why_not_v1(v_now, p_key, p_execution, p_execution, f_activity, f_token, f_tip, f_last);
  END IF;
  -- The update may have waited for others: only a lock that holds now counts.
  v_now := coalesce(p_now, (extract(epoch FROM clock_timestamp()) * 1000)::bigint);
  INSERT INTO @.history (instance, execution, event, data)
  VALUES (p_key, p_execution, f_last + 1, e_first), (p_key, p_execution, f_last + 2, e_second);
  IF w_hold AND EXISTS (
    SELECT FROM @.instance i
    WHERE i.key = p_key AND i.held_activity IS NULL AND i.name = w_orchestration AND i.version = w_version)
    AND NOT EXISTS (
    SELECT FROM @.work w WHERE w.instance = p_key AND w.execution = p_execution AND w.activity <> f_activity) THEN
    UPDATE @.work w SET activity = 0, token = NULL, wake_at = v_now + w_lock
    WHERE w.instance = p_key AND w.execution = p_execution AND w.activity = f_activity AND w.token = f_token
      AND w.wake_at > v_now AND w.session IS NULL;
    IF FOUND THEN
      UPDATE @.instance i SET
        held_activity = w_activity, held_token = w_token, held_until = v_now + w_lock, held_lock = w_lock,
        held_name = w_name, held_tag = w_tag
      WHERE i.key = p_key;
      RETURN 5;
    END IF;
  END IF;
  DELETE FROM @.work w
  WHERE w.instance = p_key AND w.execution = p_execution AND w.activity = f_activity AND w.token = f_token
    AND w.wake_at > v_now
  RETURNING w.session INTO v_session;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the lock of activity % of instance % does not hold', f_activity, p_key USING ERRCODE = '40001';
  END IF;
  IF v_session IS NOT NULL THEN
    PERFORM @.touch_sessions_v1(v_now, ARRAY[v_session]);
  END IF;
  INSERT INTO @.work (instance, execution, activity, wake_at, token, attempts, ready, name, tag, session, payload)
  VALUES (p_key, p_execution, w_activity, v_now + w_lock, w_token, 1, false, w_name, w_tag, w_session, w_payload);
  RETURN 0;
END $$;

-- Commits one step of a chain whose activity is held, and so will be the next: verdict 5, or null, if anything is in the way.
-- The activity is that of event f_last, the next one that of e_second. A lock that is about to end, or another length of
-- locks, is left to commit_turns_v1.
CREATE FUNCTION @.commit_held_v1(
  p_now bigint, p_node bigint, p_key bigint, p_token uuid, p_execution bigint,
  f_token uuid, f_tip uuid, f_last bigint, e_first text, e_second text,
  w_name text, w_tag text, w_token uuid, w_lock bigint, w_orchestration text, w_version text)
RETURNS integer
LANGUAGE plpgsql
SET enable_seqscan = off
AS $$
DECLARE
  v_now bigint := coalesce(p_now, (date_part('epoch', clock_timestamp()) * 1000)::bigint);
BEGIN
  UPDATE @.instance i SET
    lock_token = NULL, locked_until = 0, batch = NULL, commit_token = p_token, committed_by = p_node,
    updated_at = v_now, last_event = f_last + 2,
    held_activity = f_last + 2, held_token = w_token, held_until = v_now + w_lock, held_name = w_name, held_tag = w_tag
  WHERE i.key = p_key AND i.commit_token = f_tip AND i.stage > 1 AND i.execution = p_execution
    AND i.last_event = f_last AND i.locked_until <= v_now
    AND i.held_activity = f_last AND i.held_token = f_token AND i.held_until > v_now + 100
    AND i.held_lock = w_lock AND i.name = w_orchestration AND i.version = w_version
    AND NOT EXISTS (SELECT FROM @.message m WHERE m.instance = p_key AND m.visible_at <= v_now);
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  IF p_now IS NULL AND date_part('epoch', clock_timestamp()) * 1000 > v_now + 100 THEN
    RAISE EXCEPTION 'a step of instance % has waited for others', p_key USING ERRCODE = '40001';
  END IF;
  INSERT INTO @.history (instance, execution, event, data)
  VALUES (p_key, p_execution, f_last + 1, e_first), (p_key, p_execution, f_last + 2, e_second);
  RETURN 5;
END $$;

-- Commits turns that follow from activities and are of the usual kind, as commit_turn_v1 does. Arrays have an entry for
-- each turn, those of e and w name its position.
CREATE FUNCTION @.commit_steps_v1(
  p_now bigint, p_node bigint,
  t_key bigint[], t_token uuid[], t_execution bigint[], t_oldest bigint[], t_newest bigint[],
  f_execution bigint[], f_activity bigint[], f_token uuid[], f_tip uuid[], f_last bigint[],
  m_any boolean[], m_name text[], m_version text[], m_parent text[], m_parent_execution bigint[], m_parent_event bigint[],
  m_status text[], m_output text[], m_pin text[],
  m_carried integer[], m_execution_version text[], m_start_name text[], m_start_version text[], m_start_carried integer[],
  e_turn integer[], e_event bigint[], e_data text[],
  w_turn integer[], w_activity bigint[], w_name text[], w_tag text[], w_session text[], w_payload text[], w_token uuid[],
  w_lock bigint[])
RETURNS TABLE (o_verdict integer, o_next bigint)
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_mergejoin = off SET enable_hashjoin = off
SET jit = off
AS $$
DECLARE
  v_now bigint := coalesce(p_now, (extract(epoch FROM clock_timestamp()) * 1000)::bigint);
  v_done bigint[];
  v_places tid[];
  v_tokens uuid[];
  v_sessions text[];
  v_gone bigint;
  v_good boolean[] := array_fill(false, ARRAY[cardinality(t_key)]);
BEGIN
  WITH done AS (
    UPDATE @.instance i SET
      lock_token = NULL, locked_until = 0, batch = NULL, commit_token = x.token, committed_by = p_node,
      updated_at = v_now, last_event = greatest(i.last_event, x.newest), status = coalesce(x.status, i.status),
      completed_at = CASE WHEN x.status IS NULL THEN i.completed_at WHEN x.status <> 'Running' THEN v_now END,
      pin = coalesce(x.pin, i.pin),
      name = CASE WHEN x.version IS NOT NULL THEN x.name ELSE i.name END,
      version = coalesce(x.version, i.version)
    FROM (
      SELECT x.*, w.place, w.session
      FROM unnest(t_key, t_token, t_execution, t_oldest, t_newest, f_execution, f_activity, f_token, f_tip, f_last,
          m_name, m_version, m_status, m_pin)
        WITH ORDINALITY x(key, token, execution, oldest, newest, work_execution, work_activity, work_token, tip, last,
          name, version, status, pin, ord)
      CROSS JOIN LATERAL (
        SELECT w.ctid AS place, w.session FROM @.work w WHERE w.instance = x.key AND w.execution = x.work_execution
        AND w.activity = x.work_activity AND w.token = x.work_token AND w.wake_at > v_now OFFSET 0) w
      OFFSET 0) x
    WHERE i.key = x.key
      AND i.commit_token = x.tip AND i.stage > 1 AND i.execution = x.execution
      AND i.last_event = x.last AND x.oldest > x.last AND i.locked_until <= v_now
      AND (x.status IS NULL OR NOT i.has_values)
      AND NOT EXISTS (SELECT FROM @.message m WHERE m.instance = x.key AND m.visible_at <= v_now OFFSET 0)
    RETURNING x.ord, x.place, x.work_token, x.session)
  SELECT array_agg(d.ord), array_agg(d.place), array_agg(d.work_token),
    array_agg(d.session) FILTER (WHERE d.session IS NOT NULL)
  INTO v_done, v_places, v_tokens, v_sessions FROM done d;
  FOR n IN 1 .. coalesce(cardinality(v_done), 0) LOOP
    v_good[v_done[n]] := true;
  END LOOP;
  IF v_done IS NOT NULL THEN
    -- The update may have waited for others: only locks that hold now count. One that was renewed meanwhile has moved.
    v_now := coalesce(p_now, (extract(epoch FROM clock_timestamp()) * 1000)::bigint);
    DELETE FROM @.work w USING unnest(v_places, v_tokens) x(place, token)
    WHERE w.ctid = x.place AND w.token = x.token AND w.wake_at > v_now;
    GET DIAGNOSTICS v_gone = ROW_COUNT;
    IF v_gone <> cardinality(v_done) THEN
      RAISE EXCEPTION 'the lock of an activity has ended or moved meanwhile' USING ERRCODE = '40001';
    END IF;
    IF v_sessions IS NOT NULL THEN
      PERFORM @.touch_sessions_v1(v_now, v_sessions);
    END IF;
    IF m_any IS NOT NULL THEN
      UPDATE @.execution e SET
        status = coalesce(x.status, e.status),
        output = CASE WHEN x.status IS NULL THEN e.output ELSE x.output END,
        completed_at = CASE WHEN x.status IS NULL THEN e.completed_at WHEN x.status <> 'Running' THEN v_now END,
        pin = coalesce(x.pin, e.pin),
        carried = coalesce(x.carried, e.carried, x.start_carried),
        version = coalesce(x.version, e.version),
        start_name = coalesce(e.start_name, x.start_name),
        start_version = CASE WHEN e.start_name IS NULL THEN x.start_version ELSE e.start_version END
      FROM unnest(t_key, t_execution, m_any, m_status, m_output, m_pin, m_carried, m_execution_version, m_start_name,
          m_start_version, m_start_carried)
        WITH ORDINALITY x(key, execution, noted, status, output, pin, carried, version, start_name, start_version,
          start_carried, ord)
      CROSS JOIN LATERAL (
        SELECT k.ctid AS place FROM @.execution k WHERE k.instance = x.key AND k.id = x.execution OFFSET 0) k
      WHERE v_good[x.ord] AND x.noted AND e.ctid = k.place;
    END IF;
    INSERT INTO @.history (instance, execution, event, data)
    SELECT t_key[e.turn], t_execution[e.turn], e.event, e.data
    FROM unnest(e_turn, e_event, e_data) e(turn, event, data)
    WHERE v_good[e.turn];
    IF w_turn IS NOT NULL THEN
      INSERT INTO @.work (instance, execution, activity, wake_at, token, attempts, ready, name, tag, session, payload)
      SELECT t_key[w.turn], t_execution[w.turn], w.activity, v_now + coalesce(w.lock, 0), w.token,
        CASE WHEN w.token IS NULL THEN 0 ELSE 1 END, w.token IS NULL, w.name, w.tag, w.session, w.payload
      FROM unnest(w_turn, w_activity, w_name, w_tag, w_session, w_payload, w_token, w_lock)
        WITH ORDINALITY w(turn, activity, name, tag, session, payload, token, lock, ord)
      WHERE v_good[w.turn]
      ORDER BY w.ord;
    END IF;
  END IF;
  FOR n IN 1 .. cardinality(t_key) LOOP
    o_verdict := CASE
      WHEN v_good[n] THEN 0
      ELSE @.why_not_v1(v_now, t_key[n], t_execution[n], f_execution[n], f_activity[n], f_token[n], f_tip[n], f_last[n])
    END;
    RETURN NEXT;
  END LOOP;
END $$;

-- Stores new instances with their first turns, if these are of the usual kind: the same as start_v1 and commit_turns_v1,
-- for instances of which nobody has heard. Parameters are called as they are there; in the order of the ids.
-- A row for each: the number of the instance; null if the id was known, and then nothing was done.
CREATE FUNCTION @.begin_v1(
  p_now bigint, p_node bigint,
  t_id text[], t_token uuid[], t_newest bigint[],
  m_name text[], m_version text[], m_parent text[], m_parent_execution bigint[], m_parent_event bigint[],
  m_status text[], m_output text[], m_pin text[],
  m_carried integer[], m_execution_version text[], m_start_name text[], m_start_version text[], m_start_carried integer[],
  e_turn integer[], e_event bigint[], e_data text[],
  w_turn integer[], w_activity bigint[], w_name text[], w_tag text[], w_session text[], w_payload text[], w_token uuid[],
  w_lock bigint[])
RETURNS TABLE (o_key bigint)
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_mergejoin = off SET enable_hashjoin = off
SET jit = off
AS $$
DECLARE
  v_now bigint := coalesce(p_now, (extract(epoch FROM clock_timestamp()) * 1000)::bigint);
  v_done integer[];
  v_made bigint[];
  v_keys bigint[] := array_fill(NULL::bigint, ARRAY[cardinality(t_id)]);
BEGIN
  WITH done AS (
    INSERT INTO @.instance (id, commit_token, committed_by, execution, last_event, updated_at, created_at, completed_at,
      stage, status, pin, name, version, parent, parent_execution, parent_event)
    SELECT x.id, x.token, p_node, 1, x.newest, v_now, v_now, CASE WHEN x.status <> 'Running' THEN v_now END,
      2, coalesce(x.status, 'Running'), x.pin, x.name, x.version, x.parent, x.parent_execution, x.parent_event
    FROM unnest(t_id, t_token, t_newest, m_status, m_pin, m_name, m_version, m_parent, m_parent_execution, m_parent_event)
      WITH ORDINALITY x(id, token, newest, status, pin, name, version, parent, parent_execution, parent_event, ord)
    -- As in send_v1: an id that is there must not be waited for.
    WHERE NOT EXISTS (SELECT FROM @.instance i WHERE i.id = x.id OFFSET 0)
    ORDER BY x.ord
    ON CONFLICT (id) DO NOTHING RETURNING key, commit_token)
  SELECT array_agg(array_position(t_token, d.commit_token)), array_agg(d.key) INTO v_done, v_made FROM done d;
  FOR n IN 1 .. coalesce(cardinality(v_done), 0) LOOP
    v_keys[v_done[n]] := v_made[n];
  END LOOP;
  IF v_done IS NOT NULL THEN
    INSERT INTO @.execution (instance, id, started_at, completed_at, carried, status, pin, version, start_name,
      start_version, output)
    SELECT v_keys[x.ord], 1, v_now, CASE WHEN x.status <> 'Running' THEN v_now END,
      coalesce(x.carried, x.start_carried), coalesce(x.status, 'Running'), x.pin, x.version, x.start_name,
      x.start_version, CASE WHEN x.status IS NOT NULL THEN x.output END
    FROM unnest(t_id, m_status, m_output, m_pin, m_carried, m_execution_version, m_start_name, m_start_version,
        m_start_carried)
      WITH ORDINALITY x(id, status, output, pin, carried, version, start_name, start_version, start_carried, ord)
    WHERE v_keys[x.ord] IS NOT NULL;
    INSERT INTO @.history (instance, execution, event, data)
    SELECT v_keys[e.turn], 1, e.event, e.data
    FROM unnest(e_turn, e_event, e_data) e(turn, event, data)
    WHERE v_keys[e.turn] IS NOT NULL;
    IF w_turn IS NOT NULL THEN
      INSERT INTO @.work (instance, execution, activity, wake_at, token, attempts, ready, name, tag, session, payload)
      SELECT v_keys[w.turn], 1, w.activity, v_now + coalesce(w.lock, 0), w.token,
        CASE WHEN w.token IS NULL THEN 0 ELSE 1 END, w.token IS NULL, w.name, w.tag, w.session, w.payload
      FROM unnest(w_turn, w_activity, w_name, w_tag, w_session, w_payload, w_token, w_lock)
        WITH ORDINALITY w(turn, activity, name, tag, session, payload, token, lock, ord)
      WHERE v_keys[w.turn] IS NOT NULL
      ORDER BY w.ord;
    END IF;
  END IF;
  FOR n IN 1 .. cardinality(t_id) LOOP
    o_key := v_keys[n];
    IF o_key IS NULL THEN
      -- The first try may have been committed although its answer was lost.
      SELECT i.key INTO o_key FROM @.instance i WHERE i.id = t_id[n] AND i.commit_token = t_token[n];
    END IF;
    RETURN NEXT;
  END LOOP;
END $$;

-- The same for one instance, whose events go up from 1 and which asks for at most one activity; without arrays, which cost
-- more than the statements. Returns the number of the instance; null if the id was known.
CREATE FUNCTION @.begin_one_v1(
  p_now bigint, p_node bigint, p_id text, p_token uuid, p_newest bigint,
  m_name text, m_version text, m_parent text, m_parent_execution bigint, m_parent_event bigint,
  m_status text, m_output text, m_pin text,
  m_carried integer, m_execution_version text, m_start_name text, m_start_version text, m_start_carried integer,
  e_data text[],
  w_activity bigint, w_name text, w_tag text, w_session text, w_payload text, w_token uuid, w_lock bigint)
RETURNS bigint
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET jit = off
AS $$
DECLARE
  v_now bigint := coalesce(p_now, (extract(epoch FROM clock_timestamp()) * 1000)::bigint);
  v_ended bigint := CASE WHEN m_status <> 'Running' THEN v_now END;
  v_status text := coalesce(m_status, 'Running');
  v_key bigint;
BEGIN
  -- As in send_v1: an id that is there must not be waited for.
  IF NOT EXISTS (SELECT FROM @.instance i WHERE i.id = p_id) THEN
    INSERT INTO @.instance (id, commit_token, committed_by, execution, last_event, updated_at, created_at, completed_at,
      stage, status, pin, name, version, parent, parent_execution, parent_event)
    VALUES (p_id, p_token, p_node, 1, p_newest, v_now, v_now, v_ended,
      2, v_status, m_pin, m_name, m_version, m_parent, m_parent_execution, m_parent_event)
    ON CONFLICT (id) DO NOTHING RETURNING key INTO v_key;
  END IF;
  IF v_key IS NULL THEN
    -- The first try may have been committed although its answer was lost.
    RETURN (SELECT i.key FROM @.instance i WHERE i.id = p_id AND i.commit_token = p_token);
  END IF;
  INSERT INTO @.execution (instance, id, started_at, completed_at, carried, status, pin, version, start_name,
    start_version, output)
  VALUES (v_key, 1, v_now, v_ended, coalesce(m_carried, m_start_carried), v_status, m_pin, m_execution_version,
    m_start_name, m_start_version, CASE WHEN m_status IS NOT NULL THEN m_output END);
  INSERT INTO @.history (instance, execution, event, data)
  SELECT v_key, 1, e.ord, e.data FROM unnest(e_data) WITH ORDINALITY e(data, ord);
  IF w_activity IS NOT NULL THEN
    INSERT INTO @.work (instance, execution, activity, wake_at, token, attempts, ready, name, tag, session, payload)
    VALUES (v_key, 1, w_activity, v_now + coalesce(w_lock, 0), w_token,
      CASE WHEN w_token IS NULL THEN 0 ELSE 1 END, w_token IS NULL, w_name, w_tag, w_session, w_payload);
  END IF;
  RETURN v_key;
END $$;

-- Deletes finished executions of an instance that are not its current one.
-- p_keep: how many of the highest ids stay. p_before: only those that ended before. p_previous: how many of the version
-- before the current one stay in any case. p_thorough: whether to look far behind the first that is too young; one
-- execution ends before the next begins, so otherwise what it costs follows what it deletes.
CREATE FUNCTION @.prune_v1(
  p_key bigint, p_keep integer, p_before bigint, p_previous integer, p_thorough boolean,
  OUT o_executions bigint, OUT o_events bigint)
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_mergejoin = off SET enable_hashjoin = off
SET jit = off
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

-- The numbers of the instances that activities are for, if they are others than the turn's own.
CREATE FUNCTION @.owners_v1(
  p_owners text[], p_turns integer[], p_keys bigint[], p_good boolean[], OUT o_keys bigint[])
LANGUAGE plpgsql
AS $$
DECLARE
  v_ids text[];
  v_found bigint[];
BEGIN
  SELECT array_agg(DISTINCT x.owner) INTO v_ids FROM unnest(p_owners, p_turns) x(owner, turn)
  WHERE x.owner IS NOT NULL AND p_good[x.turn];
  IF v_ids IS NOT NULL THEN
    SELECT a.o_keys INTO v_found
    FROM @.address_v1(v_ids, array_fill(NULL::bigint, ARRAY[cardinality(v_ids)])) a;
  END IF;
  SELECT array_agg(f.key ORDER BY x.ord) INTO o_keys
  FROM unnest(p_owners) WITH ORDINALITY x(owner, ord)
  LEFT JOIN unnest(v_ids, v_found) f(id, key) ON f.id = x.owner;
END $$;

-- Values are written beside those the execution began with, so that a replay does not see them too early.
CREATE FUNCTION @.change_values_v1(
  p_now bigint, p_keys bigint[], p_good boolean[],
  k_turn integer[], k_op smallint[], k_key text[], k_at bigint[], k_value text[]) RETURNS void
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_mergejoin = off SET enable_hashjoin = off
SET jit = off
AS $$
DECLARE
  v_cleared bigint[];
BEGIN
  SELECT array_agg(p_keys[k.turn]) INTO v_cleared FROM unnest(k_turn, k_op) k(turn, op)
  WHERE p_good[k.turn] AND k.op = 0;
  IF v_cleared IS NOT NULL THEN
    UPDATE @.kv_delta d SET value = NULL, updated_at = p_now WHERE d.instance = ANY (v_cleared);
    INSERT INTO @.kv_delta (instance, key, updated_at)
    SELECT b.instance, b.key, p_now FROM @.kv_base b WHERE b.instance = ANY (v_cleared)
    ON CONFLICT (instance, key) DO NOTHING;
  END IF;
  INSERT INTO @.kv_delta (instance, key, updated_at, value)
  SELECT p_keys[k.turn], k.key, coalesce(k.at, p_now), k.value
  FROM unnest(k_turn, k_op, k_key, k_at, k_value) k(turn, op, key, at, value)
  WHERE p_good[k.turn] AND k.op > 0
  ON CONFLICT (instance, key) DO UPDATE SET updated_at = excluded.updated_at, value = excluded.value;
  UPDATE @.instance i SET has_values = true
  FROM unnest(p_keys) WITH ORDINALITY x(key, ord)
  WHERE p_good[x.ord] AND i.key = x.key AND i.key = ANY (p_keys) AND NOT i.has_values AND x.ord = ANY (k_turn);
END $$;

-- An execution has ended: its values become those the next one begins with.
CREATE FUNCTION @.merge_values_v1(p_keys bigint[]) RETURNS void
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_mergejoin = off SET enable_hashjoin = off
SET jit = off
AS $$
BEGIN
  INSERT INTO @.kv_base (instance, key, updated_at, value)
  SELECT d.instance, d.key, d.updated_at, d.value FROM @.kv_delta d
  WHERE d.instance = ANY (p_keys) AND d.value IS NOT NULL
  ON CONFLICT (instance, key) DO UPDATE SET updated_at = excluded.updated_at, value = excluded.value;
  DELETE FROM @.kv_base b USING @.kv_delta d
  WHERE d.instance = ANY (p_keys) AND d.value IS NULL AND b.instance = d.instance AND b.instance = ANY (p_keys)
    AND b.key = d.key;
  DELETE FROM @.kv_delta d WHERE d.instance = ANY (p_keys);
END $$;
