-- The attempt of a lock that ends without a commit is counted on the messages it was given for.
CREATE FUNCTION @.count_attempts_v1(p_keys bigint[]) RETURNS void
LANGUAGE sql
AS $$
  UPDATE @.message m SET attempts = m.attempts + 1
  FROM @.instance i
  WHERE i.key = ANY (p_keys) AND i.lock_token IS NOT NULL AND m.instance = i.key AND m.seq = ANY (i.batch)
$$;

-- Unknown instances that stand in line without a start. Nothing but queue messages: they are dropped, as nobody will
-- ever receive them, unless p_hold. Otherwise they leave the line until a start comes. A row for each drop: whose, and how
-- many.
CREATE FUNCTION @.drop_strays_v1(p_now bigint, p_hold boolean, p_keys bigint[])
RETURNS TABLE (o_id text, o_count bigint)
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_mergejoin = off SET enable_hashjoin = off
SET jit = off
AS $$
DECLARE
  v_held bigint[];
  v_drop bigint[];
  v_park bigint[];
BEGIN
  WITH held AS MATERIALIZED (
    SELECT i.key FROM @.instance i WHERE i.key = ANY (p_keys) AND i.stage = 0 AND i.locked_until <= p_now
    FOR UPDATE SKIP LOCKED)
  SELECT array_agg(h.key) INTO v_held FROM held h;
  SELECT array_agg(x.key) FILTER (WHERE x.queued AND NOT p_hold),
    array_agg(x.key) FILTER (WHERE NOT x.starts AND (p_hold OR NOT x.queued))
  INTO v_drop, v_park
  FROM (
    SELECT m.instance AS key, bool_and(m.kind = 1) AS queued, bool_or(m.kind >= 2) AS starts
    FROM @.message m WHERE m.instance = ANY (v_held) GROUP BY m.instance) x;
  UPDATE @.message m SET parked = true WHERE m.instance = ANY (v_park) AND NOT m.parked;
  RETURN QUERY
    WITH gone AS (DELETE FROM @.message m WHERE m.instance = ANY (v_drop) RETURNING m.instance)
    SELECT i.id::text, count(*) FROM gone g JOIN @.instance i ON i.key = g.instance AND i.key = ANY (v_drop)
    GROUP BY i.id;
  DELETE FROM @.instance i
  WHERE i.key = ANY (v_drop) AND NOT EXISTS (SELECT FROM @.work w WHERE w.instance = i.key);
END $$;

-- Locks instances that have something to do, oldest message first, one for each token.
--
-- p_node: its commits are in its memory, so the history of an instance that it committed last is left out; 0 for none.
-- p_pin_from, p_pin_to: ranges of pins; null admits all.
-- p_names: names of handlers; null admits all. p_handlers: name, separator and version of each.
-- p_hold: whether queue messages for instances that nobody knows are kept.
-- p_ask: whether to say when something turns ready by itself.
-- p_again: the answer of a call with these tokens was lost; what it locked is returned now.
--
-- Rows, by o_part:
--   0 how it went: key 1 if something was ready and was left, as others may have been at it, n1 the server's time, n2 the
--     next change if nothing was left, n3 1 if a message waits for the end of a turn
--   1 a locked instance: key, n1 execution, n2 its last event, n3 1 if the history follows, t1 id, t2 name, t3 version,
--     u1 token, batch the messages that belong to the lock
--   2 a message of it, or one that came too late for the batch: key, n1 seq, n2 kind, n3 attempts before this, t1 payload,
--     t2 name, t3 version
--   3 an event: key, n1 id, t1 data
--   4 a value: key, n1 when it was set, t1 key, t2 value
--   5 messages that were dropped: n1 how many, t1 the id of their instance
CREATE FUNCTION @.fetch_turns_v1(
  p_now bigint, p_tokens uuid[], p_lock bigint, p_node bigint,
  p_pin_from text[], p_pin_to text[], p_names text[], p_handlers text[], p_hold boolean,
  p_ask boolean, p_again boolean)
RETURNS TABLE (
  o_part smallint, o_key bigint, o_n1 bigint, o_n2 bigint, o_n3 bigint,
  o_t1 text, o_t2 text, o_t3 text, o_u1 uuid, o_batch bigint[])
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_mergejoin = off SET enable_hashjoin = off
SET jit = off
AS $$
DECLARE
  v_now bigint := coalesce(p_now, (extract(epoch FROM clock_timestamp()) * 1000)::bigint);
  v_wanted integer := cardinality(p_tokens);
  v_window integer := 2 * cardinality(p_tokens) + 16;
  v_first record;
  v_one record;
  v_name text;
  v_version text;
  v_at bigint;
  v_seq bigint;
  v_last_at bigint;
  v_last_seq bigint;
  v_rows integer;
  v_peeked bigint[];
  v_marks uuid[];
  v_places bigint[];
  v_strays bigint[];
  v_stray_places bigint[];
  v_dead bigint[];
  v_taken bigint[];
  v_tuples tid[];
  v_stages smallint[];
  v_end bigint;
  v_expired boolean;
  v_all bigint[] := '{}';
  v_contended boolean := false;
  v_past boolean := p_again;
  v_seen bigint := v_now;
  v_next bigint;
  v_waits boolean := false;
BEGIN
  IF p_again THEN
    SELECT coalesce(array_agg(DISTINCT i.key), '{}'), coalesce(max(i.locked_until), v_now) INTO v_all, v_seen
    FROM @.message m JOIN @.instance i ON i.key = m.instance
    WHERE NOT m.parked AND m.visible_at <= v_now AND i.locked_until > v_now AND i.lock_token = ANY (p_tokens);
    v_contended := v_all <> '{}';
  END IF;
  -- A look along an empty line shall cost next to nothing.
  SELECT m.instance, m.visible_at, m.seq, m.kind, m.attempts, m.payload, m.name, m.version INTO v_first
  FROM @.message m WHERE NOT m.parked AND m.visible_at <= v_now ORDER BY m.visible_at, m.seq LIMIT 1;
  v_at := v_first.visible_at;
  v_seq := v_first.seq - 1;

  -- One message in line, for an instance that waits for it or begins with it: the same with simpler statements.
  <<usual>>
  BEGIN
    EXIT usual WHEN v_at IS NULL OR p_again OR v_first.kind = 3;
    EXIT usual WHEN EXISTS (
      SELECT FROM @.message m
      WHERE NOT m.parked AND m.visible_at <= v_now AND (m.visible_at, m.seq) > (v_at, v_first.seq)
      ORDER BY m.visible_at, m.seq LIMIT 1);
    SELECT i.id, i.stage, i.execution, i.last_event, i.name, i.version INTO v_one
    FROM @.instance i
    WHERE i.key = v_first.instance AND i.locked_until <= v_now AND i.lock_token IS NULL
      AND CASE i.stage WHEN 0 THEN v_first.kind = 2 WHEN 2 THEN
        v_first.kind < 2 AND i.committed_by = p_node AND i.last_event > 0 ELSE false END
      AND (p_pin_from IS NULL OR i.stage = 0 OR i.pin IS NULL OR EXISTS (
        SELECT FROM unnest(p_pin_from, p_pin_to) r(low, high) WHERE i.pin BETWEEN r.low AND r.high))
    FOR NO KEY UPDATE OF i SKIP LOCKED;
    EXIT usual WHEN NOT FOUND;
    IF p_names IS NOT NULL THEN
      v_name := CASE v_one.stage WHEN 0 THEN v_first.name ELSE v_one.name END;
      v_version := CASE v_one.stage WHEN 0 THEN v_first.version ELSE v_one.version END;
      EXIT usual WHEN CASE coalesce(v_version, '0.0.0')
        WHEN '0.0.0' THEN NOT v_name = ANY (p_names)
        ELSE NOT v_name || chr(26) || '/' || v_version = ANY (p_handlers)
      END;
    END IF;
    -- Others may have given the instance more, or taken this, before it was locked.
    SELECT array_agg(m.seq) INTO v_taken FROM @.message m WHERE m.instance = v_first.instance AND m.visible_at <= v_now;
    EXIT usual WHEN v_taken IS DISTINCT FROM ARRAY[v_first.seq];
    UPDATE @.instance i SET lock_token = p_tokens[1], locked_until = v_now + p_lock, batch = v_taken
    WHERE i.key = v_first.instance;
    IF p_ask THEN
      SELECT least(min(m.visible_at), v_now + p_lock) INTO v_next
      FROM @.message m WHERE NOT m.parked AND m.visible_at > v_now;
    END IF;
    o_part := 0; o_key := 0; o_n1 := v_now; o_n2 := v_next;
    RETURN NEXT;
    o_part := 1; o_key := v_first.instance; o_n1 := v_one.execution; o_n2 := v_one.last_event;
    o_n3 := (v_one.stage = 0)::integer; o_t1 := v_one.id; o_t2 := v_one.name; o_t3 := v_one.version;
    o_u1 := p_tokens[1]; o_batch := v_taken;
    RETURN NEXT;
    o_part := 2; o_n1 := v_first.seq; o_n2 := v_first.kind; o_n3 := v_first.attempts; o_t1 := v_first.payload;
    o_t2 := v_first.name; o_t3 := v_first.version; o_u1 := NULL; o_batch := NULL;
    RETURN NEXT;
    RETURN;
  END usual;

  WHILE v_at IS NOT NULL AND (v_all = '{}' OR NOT p_again) LOOP
    -- Look along the line, without locks: who could be next?
    WITH line AS MATERIALIZED (
      SELECT m.instance, m.visible_at, m.seq FROM @.message m
      WHERE NOT m.parked AND m.visible_at <= v_now AND (m.visible_at, m.seq) > (v_at, v_seq)
      ORDER BY m.visible_at, m.seq LIMIT v_window),
    subject AS MATERIALIZED (
      SELECT l.instance, min(l.place) AS place
      FROM (SELECT l.instance, row_number() OVER (ORDER BY l.visible_at, l.seq) AS place FROM line l) l
      GROUP BY l.instance),
    judged AS MATERIALIZED (
      SELECT s.instance, s.place, i.commit_token, i.key IS NULL AS dead, i.stage = 0 AND start.name IS NULL AS stray,
        CASE
          WHEN i.key IS NULL OR i.locked_until > v_now OR (i.stage = 0 AND start.name IS NULL) THEN false
          WHEN p_pin_from IS NOT NULL AND i.stage > 0 AND NOT coalesce(
            (SELECT bool_or(coalesce(i.pin, u.pin) BETWEEN r.low AND r.high)
             FROM unnest(p_pin_from, p_pin_to) r(low, high) WHERE coalesce(i.pin, u.pin) IS NOT NULL),
            true) THEN false
          WHEN p_names IS NULL OR coalesce(next.name, i.name, u.name, start.name) IS NULL THEN true
          WHEN next.name IS NULL AND i.stage = 2 AND i.status IN ('Completed', 'Failed') THEN true
          WHEN coalesce(
            CASE
              WHEN next.name IS NOT NULL THEN next.version
              WHEN i.name IS NOT NULL THEN i.version
              WHEN u.name IS NOT NULL THEN u.version
              ELSE start.version
            END, '0.0.0') = '0.0.0' THEN coalesce(next.name, i.name, u.name, start.name) = ANY (p_names)
          WHEN next.name IS NOT NULL THEN next.name || chr(26) || '/' || next.version = ANY (p_handlers)
          WHEN i.name IS NOT NULL THEN i.name || chr(26) || '/' || i.version = ANY (p_handlers)
          WHEN u.name IS NOT NULL THEN u.name || chr(26) || '/' || u.version = ANY (p_handlers)
          ELSE start.name || chr(26) || '/' || start.version = ANY (p_handlers)
        END AS passes
      FROM subject s
      LEFT JOIN LATERAL (SELECT k.* FROM @.instance k WHERE k.key = s.instance OFFSET 0) i ON true
      LEFT JOIN LATERAL (
        SELECT e.pin, e.start_name AS name, e.start_version AS version FROM @.execution e
        WHERE i.stage = 1 AND e.instance = i.key ORDER BY e.id DESC LIMIT 1) u ON true
      LEFT JOIN LATERAL (
        SELECT m.name, m.version FROM @.message m
        WHERE p_names IS NOT NULL AND m.instance = i.key AND m.kind >= 2 AND m.kind = 3 AND m.visible_at <= v_now
        ORDER BY m.seq LIMIT 1) next ON true
      LEFT JOIN LATERAL (
        SELECT m.name, m.version FROM @.message m
        WHERE i.stage < 2 AND m.instance = i.key AND m.kind >= 2 AND m.visible_at <= v_now
        ORDER BY m.seq LIMIT 1) start ON true)
    SELECT
      array_agg(j.instance ORDER BY j.place) FILTER (WHERE j.passes),
      array_agg(j.commit_token ORDER BY j.place) FILTER (WHERE j.passes),
      array_agg(j.place ORDER BY j.place) FILTER (WHERE j.passes),
      array_agg(j.instance ORDER BY j.place) FILTER (WHERE j.stray),
      array_agg(j.place ORDER BY j.place) FILTER (WHERE j.stray),
      array_agg(j.instance) FILTER (WHERE j.dead),
      (SELECT count(*) FROM line),
      (SELECT l.visible_at FROM line l ORDER BY l.visible_at DESC, l.seq DESC LIMIT 1),
      (SELECT l.seq FROM line l ORDER BY l.visible_at DESC, l.seq DESC LIMIT 1)
    INTO v_peeked, v_marks, v_places, v_strays, v_stray_places, v_dead, v_rows, v_last_at, v_last_seq
    FROM judged j;

    -- Lock them in this order, passing over whom others are at, and whoever went on since.
    v_end := NULL;
    IF v_peeked IS NOT NULL THEN
      WITH held AS MATERIALIZED (
        SELECT i.key, i.ctid AS tuple, i.stage, c.place, i.lock_token IS NOT NULL AS expired
        FROM unnest(v_peeked, v_marks, v_places) c(key, mark, place)
        JOIN @.instance i ON i.key = c.key AND i.key = ANY (v_peeked)
        WHERE i.locked_until <= v_now AND i.commit_token IS NOT DISTINCT FROM c.mark
        ORDER BY c.place LIMIT v_wanted - cardinality(v_all)
        FOR NO KEY UPDATE OF i SKIP LOCKED)
      SELECT array_agg(h.key ORDER BY h.place), array_agg(h.tuple ORDER BY h.place),
        array_agg(h.stage ORDER BY h.place), max(h.place), bool_or(h.expired)
      INTO v_taken, v_tuples, v_stages, v_end, v_expired
      FROM held h;
      v_contended := v_contended OR cardinality(v_taken) IS DISTINCT FROM cardinality(v_peeked);
      IF v_expired THEN
        PERFORM @.count_attempts_v1(v_taken);
      END IF;
      IF v_taken IS NOT NULL THEN
        -- They are locked, so they stay where they are.
        WITH given AS (
          UPDATE @.instance i SET lock_token = p_tokens[cardinality(v_all) + g.ord], locked_until = v_now + p_lock,
            batch = g.seqs
          FROM (
            SELECT t.tuple, row_number() OVER (ORDER BY t.ord) AS ord, b.seqs
            FROM unnest(v_taken, v_tuples, v_stages) WITH ORDINALITY t(key, tuple, stage, ord)
            CROSS JOIN LATERAL (
              SELECT array_agg(m.seq) AS seqs, bool_or(m.kind >= 2) AS starts FROM @.message m
              WHERE m.instance = t.key AND m.visible_at <= v_now) b
            WHERE b.seqs IS NOT NULL AND (t.stage > 0 OR b.starts)) g
          WHERE i.ctid = g.tuple
          RETURNING i.key, g.ord, (i.has_values OR i.last_event > 0 OR i.stage = 1)
            AND (p_node = 0 OR i.committed_by <> p_node OR i.stage = 1 OR i.last_event = 0) AS past)
        SELECT v_all || coalesce(array_agg(g.key ORDER BY g.ord), '{}'), v_past OR coalesce(bool_or(g.past), false)
        INTO v_all, v_past FROM given g;
      END IF;
    END IF;

    IF v_dead IS NOT NULL THEN
      -- Sent while their instance was being deleted.
      DELETE FROM @.message m WHERE m.instance = ANY (v_dead);
    END IF;
    IF v_strays IS NOT NULL THEN
      RETURN QUERY
        SELECT 5::smallint, NULL::bigint, d.o_count, NULL::bigint, NULL::bigint,
          d.o_id, NULL::text, NULL::text, NULL::uuid, NULL::bigint[]
        FROM (
          SELECT array_agg(s.key) AS keys FROM unnest(v_strays, v_stray_places) s(key, place)
          WHERE cardinality(v_all) < v_wanted OR s.place < v_end
          HAVING count(*) > 0) x
        CROSS JOIN LATERAL @.drop_strays_v1(v_now, p_hold, x.keys) d;
    END IF;

    EXIT WHEN cardinality(v_all) = v_wanted OR v_rows < v_window;
    v_at := v_last_at;
    v_seq := v_last_seq;
    v_window := least(v_window * 4, 4000);
  END LOOP;

  IF p_ask AND (v_all = '{}' OR (cardinality(v_all) < v_wanted AND NOT v_contended)) THEN
    SELECT min(i.locked_until), coalesce(bool_or(NOT l.seqs <@ i.batch), false) INTO v_next, v_waits
    FROM (
      SELECT m.instance, array_agg(m.seq) AS seqs FROM (
        SELECT m.instance, m.seq FROM @.message m WHERE NOT m.parked AND m.visible_at <= v_now
        ORDER BY m.visible_at, m.seq LIMIT 500) m
      GROUP BY m.instance) l
    CROSS JOIN LATERAL (SELECT k.locked_until, k.batch FROM @.instance k WHERE k.key = l.instance OFFSET 0) i
    WHERE i.locked_until > v_now;
    -- The commit of a turn says what came for its instance meanwhile, but not what is committed at the same moment.
    SELECT least(min(m.visible_at), v_next, CASE WHEN v_waits THEN v_now + 20 END) INTO v_next
    FROM @.message m WHERE NOT m.parked AND m.visible_at > v_now;
  END IF;
  RETURN QUERY SELECT 0::smallint, v_contended::integer::bigint, v_now, v_next, v_waits::integer::bigint,
    NULL::text, NULL::text, NULL::text, NULL::uuid, NULL::bigint[];
  IF v_all = '{}' THEN
    RETURN;
  END IF;

  RETURN QUERY
    SELECT 1::smallint, i.key, coalesce(u.id, i.execution), coalesce(u.last_event, i.last_event),
      (p_node = 0 OR i.committed_by <> p_node OR i.stage = 1 OR i.last_event = 0)::integer::bigint,
      i.id::text, coalesce(i.name, u.name)::text, CASE WHEN i.name IS NULL THEN u.version ELSE i.version END::text,
      i.lock_token, i.batch
    FROM unnest(v_all) WITH ORDINALITY t(key, ord)
    CROSS JOIN LATERAL (SELECT k.* FROM @.instance k WHERE k.key = t.key OFFSET 0) i
    LEFT JOIN LATERAL (
      SELECT e.id, e.start_name AS name, e.start_version AS version,
        (SELECT coalesce(max(h.event), 0) FROM @.history h
         WHERE h.instance = e.instance AND h.execution = e.id) AS last_event
      FROM @.execution e WHERE i.stage = 1 AND e.instance = i.key ORDER BY e.id DESC LIMIT 1) u ON true
    ORDER BY t.ord;
  RETURN QUERY
    SELECT 2::smallint, m.instance, m.seq, m.kind::bigint, m.attempts::bigint,
      m.payload, m.name::text, m.version::text, NULL::uuid, NULL::bigint[]
    FROM unnest(v_all) t(key)
    CROSS JOIN LATERAL (SELECT k.* FROM @.message k WHERE k.instance = t.key AND k.visible_at <= v_seen OFFSET 0) m;
  IF NOT v_past THEN
    RETURN;
  END IF;
  RETURN QUERY
    SELECT 3::smallint, h.instance, h.event, NULL::bigint, NULL::bigint,
      h.data, NULL::text, NULL::text, NULL::uuid, NULL::bigint[]
    FROM unnest(v_all) t(key)
    JOIN @.instance i ON i.key = t.key AND i.key = ANY (v_all) AND (i.last_event > 0 OR i.stage = 1)
      AND (p_node = 0 OR i.committed_by <> p_node OR i.stage = 1 OR i.last_event = 0)
    CROSS JOIN LATERAL (
      SELECT e.instance, e.event, e.data FROM @.history e WHERE e.instance = i.key AND e.execution =
        CASE i.stage WHEN 1 THEN (SELECT max(x.id) FROM @.execution x WHERE x.instance = i.key) ELSE i.execution END
      OFFSET 0) h
    ORDER BY h.instance, h.event;
  RETURN QUERY
    SELECT 4::smallint, b.instance, b.updated_at, NULL::bigint, NULL::bigint,
      b.key::text, b.value, NULL::text, NULL::uuid, NULL::bigint[]
    FROM unnest(v_all) t(key)
    JOIN @.instance i ON i.key = t.key AND i.key = ANY (v_all) AND i.has_values
      AND (p_node = 0 OR i.committed_by <> p_node OR i.stage = 1 OR i.last_event = 0)
    JOIN @.kv_base b ON b.instance = i.key AND b.instance = ANY (v_all)
    ORDER BY b.instance, b.key;
END $$;

-- Sets the ends of locks; returns the positions of those that were still valid.
CREATE FUNCTION @.renew_turns_v1(p_now bigint, p_keys bigint[], p_tokens uuid[], p_extend bigint[])
RETURNS SETOF bigint
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_mergejoin = off SET enable_hashjoin = off
SET jit = off
AS $$
DECLARE
  v_now bigint;
BEGIN
  PERFORM FROM @.instance i WHERE i.key = ANY (p_keys) ORDER BY i.key FOR NO KEY UPDATE;
  v_now := coalesce(p_now, (extract(epoch FROM clock_timestamp()) * 1000)::bigint);
  RETURN QUERY
    UPDATE @.instance i SET locked_until = v_now + x.extend
    FROM unnest(p_keys, p_tokens, p_extend) WITH ORDINALITY x(key, token, extend, ord)
    WHERE i.key = x.key AND i.key = ANY (p_keys) AND i.lock_token = x.token AND i.locked_until > v_now
    RETURNING x.ord;
END $$;

-- Gives locks up; the instance rests for the delay. Also a lock that expired, if nobody took over. Returns positions.
CREATE FUNCTION @.abandon_turns_v1(
  p_now bigint, p_keys bigint[], p_tokens uuid[], p_delays bigint[], p_ignore boolean[])
RETURNS SETOF bigint
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_mergejoin = off SET enable_hashjoin = off
SET jit = off
AS $$
DECLARE
  v_now bigint;
  v_counted bigint[];
BEGIN
  PERFORM FROM @.instance i WHERE i.key = ANY (p_keys) ORDER BY i.key FOR NO KEY UPDATE;
  v_now := coalesce(p_now, (extract(epoch FROM clock_timestamp()) * 1000)::bigint);
  SELECT array_agg(i.key) INTO v_counted
  FROM unnest(p_keys, p_tokens, p_ignore) x(key, token, ignore)
  JOIN @.instance i ON i.key = x.key AND i.key = ANY (p_keys) AND i.lock_token = x.token
  WHERE x.ignore IS NOT TRUE;
  IF v_counted IS NOT NULL THEN
    PERFORM @.count_attempts_v1(v_counted);
  END IF;
  RETURN QUERY
    UPDATE @.instance i SET lock_token = NULL, batch = NULL,
      locked_until = CASE WHEN x.delay > 0 THEN v_now + x.delay ELSE 0 END
    FROM unnest(p_keys, p_tokens, p_delays) WITH ORDINALITY x(key, token, delay, ord)
    WHERE i.key = x.key AND i.key = ANY (p_keys) AND i.lock_token = x.token
    RETURNING x.ord;
END $$;
