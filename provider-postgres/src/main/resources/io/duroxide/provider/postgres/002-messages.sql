-- Functions are called with arrays, one entry for each operation of a group, and run it as one transaction in one round
-- trip. Their names carry a version: a function that was shipped is never changed, so that nodes of two releases can
-- share a store. Plans are made once and use the indexes whatever the tables held when they were made: as a table that
-- was vacuumed while it was empty looks cheap to walk through, rows are looked up below OFFSET 0, which the planner does
-- not turn round, or their key is compared with the array of the wanted ones too, where that is short.

-- The numbers of instances that messages or activities are for; those nobody knows are noted, and locked until the
-- transaction ends, so that nobody gives them a history or drops them meanwhile.
-- o_unknown: whether the instance has no history.
CREATE FUNCTION @.address_v1(
  p_ids text[], p_known bigint[],
  OUT o_keys bigint[], OUT o_unknown boolean[])
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_mergejoin = off SET enable_hashjoin = off
SET jit = off
AS $$
DECLARE
  v_left text[];
  v_held integer;
BEGIN
  SELECT array_agg(DISTINCT x.id) INTO v_left FROM unnest(p_ids, p_known) x(id, key) WHERE x.key IS NULL;
  LOOP
    INSERT INTO @.instance (id) SELECT x.id FROM unnest(v_left) x(id) ORDER BY x.id
    ON CONFLICT (id) DO NOTHING;
    -- In the order of the keys, but not along their index.
    PERFORM FROM @.instance i WHERE i.id = ANY (v_left) ORDER BY i.key + 0 FOR NO KEY UPDATE;
    GET DIAGNOSTICS v_held = ROW_COUNT;
    -- One that was there already may have been removed before it could be locked.
    EXIT WHEN v_held = cardinality(v_left);
  END LOOP;
  SELECT array_agg(coalesce(x.key, i.key) ORDER BY x.ord), array_agg(x.key IS NULL AND i.stage = 0 ORDER BY x.ord)
  INTO o_keys, o_unknown
  FROM unnest(p_ids, p_known) WITH ORDINALITY x(id, key, ord)
  LEFT JOIN LATERAL (SELECT k.key, k.stage FROM @.instance k WHERE k.id = x.id OFFSET 0) i ON true;
END $$;

-- Queues messages. Those of a commit are visible at their fire time or at once, others after their delay and not before
-- their fire time.
CREATE FUNCTION @.send_v1(
  p_now bigint, p_committed boolean,
  p_ids text[], p_kinds smallint[], p_delays bigint[], p_fire_at bigint[],
  p_parents text[], p_names text[], p_versions text[], p_payloads text[])
RETURNS void
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_mergejoin = off SET enable_hashjoin = off
SET jit = off
AS $$
DECLARE
  v_new bigint;
  v_sent integer := 0;
  n integer;
  v_keys bigint[];
  v_unknown boolean[];
  v_parked boolean[];
  v_started bigint[];
BEGIN
  -- The usual starts: nobody has heard of their instances, so nothing waits for them.
  WHILE v_sent < cardinality(p_ids) LOOP
    n := v_sent + 1;
    EXIT WHEN p_kinds[n] <> 2;
    -- To insert an id that is there would wait for whoever changes its row, and that one perhaps for this transaction.
    EXIT WHEN EXISTS (SELECT FROM @.instance i WHERE i.id = p_ids[n]);
    INSERT INTO @.instance (id) VALUES (p_ids[n]) ON CONFLICT (id) DO NOTHING RETURNING key INTO v_new;
    EXIT WHEN NOT FOUND;
    INSERT INTO @.message (instance, visible_at, created_at, kind, parked, parent, name, version, payload)
    VALUES (v_new,
      CASE WHEN NOT p_committed THEN greatest(p_now + p_delays[n], p_fire_at[n])
        WHEN p_fire_at[n] > 0 THEN p_fire_at[n] ELSE p_now END,
      p_now, 2, false, p_parents[n], p_names[n], p_versions[n], p_payloads[n]);
    v_sent := n;
  END LOOP;
  IF v_sent = cardinality(p_ids) THEN
    RETURN;
  ELSIF v_sent > 0 THEN
    n := v_sent + 1;
    p_ids := p_ids[n:];
    p_kinds := p_kinds[n:];
    p_delays := p_delays[n:];
    p_fire_at := p_fire_at[n:];
    p_parents := p_parents[n:];
    p_names := p_names[n:];
    p_versions := p_versions[n:];
    p_payloads := p_payloads[n:];
  END IF;
  SELECT array_agg(i.key ORDER BY x.ord) INTO v_keys
  FROM unnest(p_ids) WITH ORDINALITY x(id, ord)
  LEFT JOIN LATERAL (SELECT k.key FROM @.instance k WHERE k.id = x.id AND k.stage > 0 OFFSET 0) i ON true;
  IF array_position(v_keys, NULL) IS NOT NULL THEN
    SELECT a.o_keys, a.o_unknown INTO v_keys, v_unknown FROM @.address_v1(p_ids, v_keys) a;
    SELECT array_agg(DISTINCT x.key) INTO v_started
    FROM unnest(v_keys, p_kinds, v_unknown) x(key, kind, unknown) WHERE x.unknown AND x.kind >= 2;
    -- A start brings what waited for it into line.
    IF v_started IS NOT NULL THEN
      UPDATE @.message m SET parked = false WHERE m.instance = ANY (v_started) AND m.parked;
    END IF;
    SELECT array_agg(
      x.unknown AND x.kind = 0 AND NOT coalesce(x.key = ANY (v_started), false)
      AND NOT EXISTS (SELECT FROM @.message m WHERE m.instance = x.key AND m.kind >= 2)
      ORDER BY x.ord) INTO v_parked
    FROM unnest(v_keys, p_kinds, v_unknown) WITH ORDINALITY x(key, kind, unknown, ord);
  END IF;
  INSERT INTO @.message (instance, visible_at, created_at, kind, parked, parent, name, version, payload)
  SELECT x.key,
    CASE WHEN NOT p_committed THEN greatest(p_now + x.delay, x.fire_at)
      WHEN x.fire_at > 0 THEN x.fire_at ELSE p_now END,
    p_now, x.kind, coalesce(x.parked, false), x.parent, x.name, x.version, x.payload
  FROM unnest(v_keys, p_kinds, p_delays, p_fire_at, v_parked, p_parents, p_names, p_versions, p_payloads)
    WITH ORDINALITY x(key, kind, delay, fire_at, parked, parent, name, version, payload, ord)
  ORDER BY x.ord;
END $$;

-- Notes that sessions were used. It passes over those that others are at, who may wait for this transaction: most of them
-- note the same, and it matters only to sessions that are hardly used.
CREATE FUNCTION @.touch_sessions_v1(p_now bigint, p_ids text[]) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
  UPDATE @.session s SET used_at = p_now WHERE s.ctid = ANY (ARRAY(
    SELECT h.ctid FROM @.session h WHERE h.id = ANY (p_ids) AND h.locked_until > p_now
    FOR NO KEY UPDATE SKIP LOCKED));
END $$;

-- Whether a call with this receipt arrives for the first time: if the connection breaks before the answer, the same call
-- with the same receipt is safe to repeat. p_settled: receipts of calls that were answered, which nobody will ask for;
-- nor for those that nodes which are gone left an hour ago.
CREATE FUNCTION @.is_first_v1(p_now bigint, p_receipt uuid, p_settled uuid[]) RETURNS boolean
LANGUAGE plpgsql
AS $$
BEGIN
  IF p_settled IS NOT NULL THEN
    DELETE FROM @.receipt r WHERE r.id = ANY (p_settled) OR r.created_at < p_now - 3600000;
  END IF;
  INSERT INTO @.receipt (id, created_at) VALUES (p_receipt, p_now) ON CONFLICT (id) DO NOTHING;
  RETURN FOUND;
END $$;

-- Messages that come from outside a turn; is_first_v1 explains the receipts.
CREATE FUNCTION @.enqueue_v1(
  p_now bigint, p_receipt uuid, p_settled uuid[],
  p_ids text[], p_kinds smallint[], p_delays bigint[], p_fire_at bigint[],
  p_parents text[], p_names text[], p_versions text[], p_payloads text[])
RETURNS void
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_mergejoin = off SET enable_hashjoin = off
SET jit = off
AS $$
DECLARE
  v_now bigint := coalesce(p_now, (extract(epoch FROM clock_timestamp()) * 1000)::bigint);
BEGIN
  IF @.is_first_v1(v_now, p_receipt, p_settled) THEN
    PERFORM @.send_v1(v_now, false, p_ids, p_kinds, p_delays, p_fire_at, p_parents, p_names, p_versions, p_payloads);
  END IF;
END $$;

-- Starts that a waiting fetch takes at once: an instance of which nobody has heard is locked with its token from the
-- beginning, others are merely sent their start. In the order of the ids.
-- A row for each: the server's time, and the number of the instance and of its message if it was taken.
CREATE FUNCTION @.start_v1(
  p_now bigint, p_receipt uuid, p_settled uuid[],
  p_ids text[], p_names text[], p_versions text[], p_payloads text[], p_tokens uuid[], p_lock bigint)
RETURNS TABLE (o_now bigint, o_key bigint, o_seq bigint)
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET jit = off
AS $$
DECLARE
  v_first boolean;
  v_left integer[] := '{}';
BEGIN
  o_now := coalesce(p_now, (extract(epoch FROM clock_timestamp()) * 1000)::bigint);
  v_first := @.is_first_v1(o_now, p_receipt, p_settled);
  FOR n IN 1 .. cardinality(p_ids) LOOP
    o_key := NULL;
    IF NOT v_first THEN
      SELECT i.key, i.batch[1] INTO o_key, o_seq FROM @.instance i
      WHERE i.id = p_ids[n] AND i.lock_token = p_tokens[n] AND i.locked_until > o_now;
    ELSIF NOT EXISTS (SELECT FROM @.instance i WHERE i.id = p_ids[n]) THEN
      o_seq := nextval('@.message_seq_seq');
      INSERT INTO @.instance (id, lock_token, locked_until, batch)
      VALUES (p_ids[n], p_tokens[n], o_now + p_lock, ARRAY[o_seq])
      ON CONFLICT (id) DO NOTHING RETURNING key INTO o_key;
    END IF;
    IF v_first AND o_key IS NOT NULL THEN
      INSERT INTO @.message (seq, instance, visible_at, created_at, kind, parked, name, version, payload)
      OVERRIDING SYSTEM VALUE
      VALUES (o_seq, o_key, o_now, o_now, 2, false, p_names[n], p_versions[n], p_payloads[n]);
    ELSIF v_first THEN
      v_left := v_left || n;
    END IF;
    RETURN NEXT;
  END LOOP;
  IF v_left <> '{}' THEN
    PERFORM @.send_v1(
      o_now, false, array_agg(p_ids[x.n]), array_agg(2::smallint), array_agg(0::bigint), array_agg(0::bigint),
      NULL, array_agg(p_names[x.n]), array_agg(p_versions[x.n]), array_agg(p_payloads[x.n]))
    FROM unnest(v_left) x(n);
  END IF;
END $$;

-- Activities that come from outside a turn; see enqueue_v1.
CREATE FUNCTION @.enqueue_work_v1(
  p_now bigint, p_receipt uuid, p_settled uuid[],
  p_ids text[], p_executions bigint[], p_activities bigint[],
  p_names text[], p_tags text[], p_sessions text[], p_payloads text[])
RETURNS void
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_mergejoin = off SET enable_hashjoin = off
SET jit = off
AS $$
DECLARE
  v_now bigint := coalesce(p_now, (extract(epoch FROM clock_timestamp()) * 1000)::bigint);
  v_keys bigint[];
BEGIN
  IF NOT @.is_first_v1(v_now, p_receipt, p_settled) THEN
    RETURN;
  END IF;
  -- All of them are addressed as if unknown: the lock keeps a deletion from leaving activities behind.
  SELECT a.o_keys INTO v_keys FROM @.address_v1(p_ids, array_fill(NULL::bigint, ARRAY[cardinality(p_ids)])) a;
  INSERT INTO @.work (instance, execution, activity, wake_at, attempts, ready, name, tag, session, payload)
  SELECT x.key, x.execution, x.activity, v_now, 0, true, x.name, x.tag, x.session, x.payload
  FROM unnest(v_keys, p_executions, p_activities, p_names, p_tags, p_sessions, p_payloads)
    WITH ORDINALITY x(key, execution, activity, name, tag, session, payload, ord)
  ORDER BY x.ord;
END $$;
