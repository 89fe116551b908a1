-- Looks at places of held activities whose time has come: one whose lock goes on sleeps on, one whose lock has ended gets
-- its row back. Returns whether others were at some of them.
CREATE FUNCTION @.wake_held_v1(p_now bigint) RETURNS boolean
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_mergejoin = off SET enable_hashjoin = off
SET jit = off
AS $$
DECLARE
  v_places tid[];
  v_keys bigint[];
  v_until bigint;
  v_contended boolean := false;
BEGIN
  SELECT array_agg(d.place), array_agg(d.instance) INTO v_places, v_keys FROM (
    SELECT s.ctid AS place, s.instance FROM @.work s
    WHERE NOT s.ready AND s.wake_at <= p_now AND s.activity = 0 ORDER BY s.wake_at LIMIT 1000 FOR UPDATE SKIP LOCKED) d;
  FOR n IN 1 .. coalesce(cardinality(v_keys), 0) LOOP
    -- Whoever commits the next step has the instance, and does not wait for this.
    SELECT i.held_until INTO v_until FROM @.instance i WHERE i.key = v_keys[n] FOR NO KEY UPDATE SKIP LOCKED;
    IF NOT FOUND AND EXISTS (SELECT FROM @.instance i WHERE i.key = v_keys[n]) THEN
      v_contended := true;
    ELSIF v_until IS NULL THEN
      DELETE FROM @.work w WHERE w.ctid = v_places[n];
    ELSIF v_until > p_now THEN
      UPDATE @.work w SET wake_at = v_until WHERE w.ctid = v_places[n];
    ELSE
      PERFORM @.settle_v1(ARRAY[v_keys[n]]);
    END IF;
  END LOOP;
  RETURN v_contended;
END $$;

-- Locks activities that a worker may run, oldest first, one for each token.
--
-- p_names, p_tags: what it serves; null admits all. p_owner: who claims sessions; null leaves out what is bound to one.
-- p_claims: how many sessions that are new to the owner one fetch may claim.
-- p_ask: whether to say when something turns ready by itself.
-- p_again: the answer of a call with these tokens was lost; what it locked is returned now.
--
-- Rows, by o_part: 0 how it went: n1 0 if nothing was left that was ready, 2 if others were at something, otherwise 1, n2
-- the server's time, n3 the next change if nothing was left; 1 a locked activity: key, n1 execution, n2 activity, n3 attempts
-- with this one, t1 instance, t2 payload, u1 token, t3 and t4 name and version of the orchestration, t5 the event that says
-- what the payload is, if that is null.
CREATE FUNCTION @.fetch_work_v1(
  p_now bigint, p_tokens uuid[], p_lock bigint, p_names text[], p_tags text[],
  p_owner text, p_lease bigint, p_claims integer, p_ask boolean, p_again boolean)
RETURNS TABLE (
  o_part smallint, o_key bigint, o_n1 bigint, o_n2 bigint, o_n3 bigint, o_t1 text, o_t2 text, o_u1 uuid,
  o_t3 text, o_t4 text, o_t5 text)
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_mergejoin = off SET enable_hashjoin = off
SET jit = off
AS $$
DECLARE
  v_now bigint := coalesce(p_now, (extract(epoch FROM clock_timestamp()) * 1000)::bigint);
  v_wanted integer := cardinality(p_tokens);
  v_window integer := cardinality(p_tokens) + 64;
  v_due tid[];
  v_places tid[];
  v_seqs bigint[];
  v_sessions text[];
  v_place tid;
  v_taken tid[] := '{}';
  v_claimed text[] := '{}';
  v_refused text[] := '{}';
  v_new integer := 0;
  v_lost boolean;
  v_contended boolean := false;
  v_left boolean;
  v_next bigint;
BEGIN
  IF p_again THEN
    RETURN QUERY
      SELECT 1::smallint, w.instance, w.execution, w.activity, w.attempts::bigint, i.id::text, w.payload, w.token,
        i.name::text, i.version::text, h.data
      FROM @.work w JOIN @.instance i ON i.key = w.instance
      LEFT JOIN LATERAL (
        SELECT e.data FROM @.history e
        WHERE w.payload IS NULL AND e.instance = w.instance AND e.execution = w.execution AND e.event = w.activity) h ON true
      WHERE NOT w.ready AND w.wake_at > v_now AND w.token = ANY (p_tokens)
      ORDER BY w.seq;
    IF FOUND THEN
      RETURN QUERY SELECT 0::smallint, NULL::bigint, 2::bigint, v_now, NULL::bigint, NULL::text, NULL::text, NULL::uuid,
        NULL::text, NULL::text, NULL::text;
      RETURN;
    END IF;
  END IF;

  -- Those whose time has come, or whose lock has ended, go back into their lanes.
  IF EXISTS (SELECT FROM @.work s WHERE NOT s.ready AND s.wake_at <= v_now) THEN
    v_contended := @.wake_held_v1(v_now);
    LOOP
      SELECT array_agg(d.place) INTO v_due FROM (
        SELECT s.ctid AS place FROM @.work s
        WHERE NOT s.ready AND s.wake_at <= v_now AND s.activity > 0 ORDER BY s.wake_at LIMIT 1000
        FOR UPDATE SKIP LOCKED) d;
      EXIT WHEN v_due IS NULL;
      -- They are locked, so they stay where they are.
      UPDATE @.work w SET ready = true WHERE w.ctid = ANY (v_due);
      EXIT WHEN cardinality(v_due) < 1000;
    END LOOP;
  END IF;

  LOOP
    -- The heads of all lanes that this worker serves.
    WITH RECURSIVE lane AS (
      (SELECT w.name, w.tag FROM @.work w WHERE w.ready AND w.session IS NULL ORDER BY w.name, w.tag LIMIT 1)
      UNION ALL
      SELECT n.name, n.tag FROM lane l CROSS JOIN LATERAL (
        SELECT w.name, w.tag FROM @.work w
        WHERE w.ready AND w.session IS NULL AND (w.name, w.tag) > (l.name, l.tag)
        ORDER BY w.name, w.tag LIMIT 1) n),
    bound AS (
      (SELECT w.session FROM @.work w
       WHERE p_owner IS NOT NULL AND w.ready AND w.session IS NOT NULL ORDER BY w.session LIMIT 1)
      UNION ALL
      SELECT n.session FROM bound b CROSS JOIN LATERAL (
        SELECT w.session FROM @.work w
        WHERE w.ready AND w.session IS NOT NULL AND w.session > b.session ORDER BY w.session LIMIT 1) n),
    head AS (
      SELECT h.* FROM lane l CROSS JOIN LATERAL (
        SELECT w.ctid AS place, w.seq, NULL::text AS session FROM @.work w
        WHERE w.ready AND w.session IS NULL AND w.name = l.name AND w.tag = l.tag
        ORDER BY w.seq LIMIT v_window) h
      WHERE (p_names IS NULL OR l.name = ANY (p_names)) AND (p_tags IS NULL OR l.tag = ANY (p_tags))
      UNION ALL
      SELECT h.* FROM bound b LEFT JOIN @.session s ON s.id = b.session CROSS JOIN LATERAL (
        SELECT w.ctid AS place, w.seq, w.session FROM @.work w
        WHERE w.ready AND w.session IS NOT NULL AND w.session = b.session
          AND (p_names IS NULL OR w.name = ANY (p_names)) AND (p_tags IS NULL OR w.tag = ANY (p_tags))
        ORDER BY w.seq LIMIT v_window) h
      WHERE (s.id IS NULL OR s.locked_until <= v_now OR s.owner = p_owner) AND NOT b.session = ANY (v_refused))
    SELECT array_agg(x.place ORDER BY x.seq), array_agg(x.seq ORDER BY x.seq), array_agg(x.session ORDER BY x.seq)
    INTO v_places, v_seqs, v_sessions
    FROM (SELECT h.* FROM head h ORDER BY h.seq LIMIT v_window) x;
    EXIT WHEN v_seqs IS NULL;

    v_lost := false;
    IF array_remove(v_sessions, NULL) = '{}' THEN
      WITH held AS MATERIALIZED (
        SELECT c.place, c.ord
        FROM unnest(v_places, v_seqs) WITH ORDINALITY c(place, seq, ord)
        JOIN @.work w ON w.ctid = c.place AND w.seq = c.seq
        WHERE w.ready
        ORDER BY c.ord LIMIT v_wanted
        FOR UPDATE OF w SKIP LOCKED)
      SELECT coalesce(array_agg(h.place ORDER BY h.ord), '{}') INTO v_taken FROM held h;
      v_contended := v_contended OR cardinality(v_taken) < least(v_wanted, cardinality(v_seqs));
    ELSE
      FOR v_at IN 1 .. cardinality(v_seqs) LOOP
        EXIT WHEN cardinality(v_taken) = v_wanted;
        CONTINUE WHEN v_sessions[v_at] = ANY (v_refused);
        IF v_sessions[v_at] IS NOT NULL AND NOT v_sessions[v_at] = ANY (v_claimed) THEN
          IF NOT EXISTS (
            SELECT FROM @.session s WHERE s.id = v_sessions[v_at] AND s.owner = p_owner AND s.locked_until > v_now) THEN
            IF v_new >= p_claims THEN
              v_refused := v_refused || v_sessions[v_at];
              CONTINUE;
            END IF;
            v_new := v_new + 1;
          END IF;
          INSERT INTO @.session AS s (id, owner, locked_until, used_at)
          VALUES (v_sessions[v_at], p_owner, v_now + p_lease, v_now)
          ON CONFLICT (id) DO UPDATE SET owner = excluded.owner, locked_until = excluded.locked_until,
            used_at = excluded.used_at
          WHERE s.owner = excluded.owner OR s.locked_until <= v_now;
          IF NOT FOUND THEN
            -- Somebody else was faster.
            v_new := v_new - 1;
            v_refused := v_refused || v_sessions[v_at];
            v_lost := true;
            CONTINUE;
          END IF;
          v_claimed := v_claimed || v_sessions[v_at];
        END IF;
        SELECT w.ctid INTO v_place FROM @.work w
        WHERE w.ctid = v_places[v_at] AND w.seq = v_seqs[v_at] AND w.ready
        FOR UPDATE SKIP LOCKED;
        IF FOUND THEN
          v_taken := v_taken || v_place;
        ELSE
          v_contended := true;
        END IF;
      END LOOP;
    END IF;
    v_contended := v_contended OR v_lost;
    EXIT WHEN v_taken <> '{}' OR (cardinality(v_seqs) < v_window AND NOT v_lost);
    v_window := v_window * 4;
  END LOOP;

  v_left := v_contended OR v_refused <> '{}' OR cardinality(v_taken) < coalesce(cardinality(v_seqs), 0);
  IF p_ask AND (v_taken = '{}' OR (cardinality(v_taken) < v_wanted AND NOT v_left)) THEN
    SELECT least(
      (SELECT min(w.wake_at) FROM @.work w WHERE NOT w.ready),
      (SELECT min(s.locked_until) FROM @.session s
       WHERE p_owner IS NOT NULL AND s.locked_until > v_now AND s.owner <> p_owner
         AND EXISTS (SELECT FROM @.work w WHERE w.ready AND w.session IS NOT NULL AND w.session = s.id)),
      CASE WHEN v_taken <> '{}' THEN v_now + p_lock END)
    INTO v_next;
  END IF;
  RETURN QUERY SELECT 0::smallint, NULL::bigint, v_left::integer::bigint + v_contended::integer, v_now, v_next,
    NULL::text, NULL::text, NULL::uuid, NULL::text, NULL::text, NULL::text;
  IF v_taken = '{}' THEN
    RETURN;
  END IF;
  -- These are locked, too.
  RETURN QUERY
    WITH given AS (
      UPDATE @.work w SET ready = false, token = p_tokens[t.ord], wake_at = v_now + p_lock, attempts = w.attempts + 1
      FROM unnest(v_taken) WITH ORDINALITY t(place, ord)
      WHERE w.ctid = t.place
      RETURNING w.instance, w.execution, w.activity, w.attempts, w.payload, w.token, w.seq)
    SELECT 1::smallint, g.instance, g.execution, g.activity, g.attempts::bigint, i.id::text, g.payload, g.token,
      i.name::text, i.version::text, h.data
    FROM given g
    CROSS JOIN LATERAL (SELECT k.id, k.name, k.version FROM @.instance k WHERE k.key = g.instance OFFSET 0) i
    LEFT JOIN LATERAL (
      SELECT e.data FROM @.history e
      WHERE g.payload IS NULL AND e.instance = g.instance AND e.execution = g.execution AND e.event = g.activity) h ON true
    ORDER BY g.seq;
END $$;

-- Removes activities and queues their outcomes; returns the positions of those whose locks were valid. They are locked in
-- the order in which they are given, which is that of their keys.
-- p_ids, p_payloads: the outcomes; an id is null where there is none.
CREATE FUNCTION @.ack_work_v1(
  p_now bigint, p_instances bigint[], p_executions bigint[], p_activities bigint[], p_tokens uuid[],
  p_ids text[], p_payloads text[])
RETURNS SETOF bigint
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_mergejoin = off SET enable_hashjoin = off
SET jit = off
AS $$
DECLARE
  v_now bigint;
  v_done bigint[];
  v_places tid[];
  v_sessions text[];
  v_ids text[];
  v_payloads text[];
BEGIN
  SELECT array_agg(x.ord ORDER BY x.ord), array_agg(w.place ORDER BY x.ord) INTO v_done, v_places
  FROM unnest(p_instances, p_executions, p_activities, p_tokens)
    WITH ORDINALITY x(instance, execution, activity, token, ord)
  CROSS JOIN LATERAL (
    SELECT w.ctid AS place FROM @.work w
    WHERE w.instance = x.instance AND w.execution = x.execution AND w.activity = x.activity AND w.token = x.token
    FOR UPDATE) w;
  v_now := coalesce(p_now, (extract(epoch FROM clock_timestamp()) * 1000)::bigint);
  -- They are locked, so they stay where they are.
  WITH gone AS (
    DELETE FROM @.work w USING unnest(v_done, v_places) x(ord, place)
    WHERE w.ctid = x.place AND w.wake_at > v_now
    RETURNING x.ord, w.session)
  SELECT array_agg(g.ord ORDER BY g.ord), array_agg(DISTINCT g.session) FILTER (WHERE g.session IS NOT NULL)
  INTO v_done, v_sessions FROM gone g;
  IF v_done IS NULL THEN
    RETURN;
  END IF;
  IF v_sessions IS NOT NULL THEN
    PERFORM @.touch_sessions_v1(v_now, v_sessions);
  END IF;
  IF cardinality(v_done) = cardinality(p_ids) AND array_position(p_ids, NULL) IS NULL THEN
    v_ids := p_ids;
    v_payloads := p_payloads;
  ELSE
    SELECT array_agg(p_ids[d.pos] ORDER BY d.pos), array_agg(p_payloads[d.pos] ORDER BY d.pos) INTO v_ids, v_payloads
    FROM unnest(v_done) d(pos) WHERE p_ids[d.pos] IS NOT NULL;
  END IF;
  IF v_ids IS NOT NULL THEN
    PERFORM @.send_v1(v_now, true, v_ids, array_fill(0::smallint, ARRAY[cardinality(v_ids)]), NULL, NULL, NULL, NULL,
      NULL, v_payloads);
  END IF;
  RETURN QUERY SELECT d.pos FROM unnest(v_done) d(pos);
END $$;

-- Sets the ends of locks; returns the positions of those that were still valid.
CREATE FUNCTION @.renew_work_v1(
  p_now bigint, p_instances bigint[], p_executions bigint[], p_activities bigint[], p_tokens uuid[], p_extend bigint[])
RETURNS SETOF bigint
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_mergejoin = off SET enable_hashjoin = off
SET jit = off
AS $$
DECLARE
  v_now bigint;
  v_done bigint[];
  v_sessions text[];
BEGIN
  PERFORM FROM unnest(p_instances, p_executions, p_activities, p_tokens) x(instance, execution, activity, token)
  JOIN @.work w ON w.instance = x.instance AND w.execution = x.execution AND w.activity = x.activity AND w.token = x.token
    AND w.instance = ANY (p_instances) AND w.execution = ANY (p_executions) AND w.activity = ANY (p_activities)
  ORDER BY w.instance, w.execution, w.activity, w.seq
  FOR UPDATE OF w;
  v_now := coalesce(p_now, (extract(epoch FROM clock_timestamp()) * 1000)::bigint);
  WITH renewed AS (
    UPDATE @.work w SET wake_at = v_now + x.extend
    FROM unnest(p_instances, p_executions, p_activities, p_tokens, p_extend)
      WITH ORDINALITY x(instance, execution, activity, token, extend, ord)
    WHERE w.instance = x.instance AND w.execution = x.execution AND w.activity = x.activity
      AND w.token = x.token AND w.wake_at > v_now
      AND w.instance = ANY (p_instances) AND w.execution = ANY (p_executions) AND w.activity = ANY (p_activities)
    RETURNING x.ord, w.session)
  SELECT array_agg(r.ord), array_agg(DISTINCT r.session) FILTER (WHERE r.session IS NOT NULL)
  INTO v_done, v_sessions FROM renewed r;
  IF v_sessions IS NOT NULL THEN
    PERFORM @.touch_sessions_v1(v_now, v_sessions);
  END IF;
  RETURN QUERY SELECT d.pos FROM unnest(v_done) d(pos);
END $$;

-- Gives locks up; the activity is visible again after the delay. Also a lock that expired, if nobody took over.
CREATE FUNCTION @.abandon_work_v1(
  p_now bigint, p_instances bigint[], p_executions bigint[], p_activities bigint[], p_tokens uuid[],
  p_delays bigint[], p_ignore boolean[])
RETURNS SETOF bigint
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_mergejoin = off SET enable_hashjoin = off
SET jit = off
AS $$
DECLARE
  v_now bigint;
BEGIN
  PERFORM FROM unnest(p_instances, p_executions, p_activities, p_tokens) x(instance, execution, activity, token)
  JOIN @.work w ON w.instance = x.instance AND w.execution = x.execution AND w.activity = x.activity AND w.token = x.token
    AND w.instance = ANY (p_instances) AND w.execution = ANY (p_executions) AND w.activity = ANY (p_activities)
  ORDER BY w.instance, w.execution, w.activity, w.seq
  FOR UPDATE OF w;
  v_now := coalesce(p_now, (extract(epoch FROM clock_timestamp()) * 1000)::bigint);
  RETURN QUERY
    UPDATE @.work w SET token = NULL, ready = x.delay = 0, wake_at = v_now + x.delay,
      attempts = CASE WHEN x.ignore THEN greatest(0, w.attempts - 1) ELSE w.attempts END
    FROM unnest(p_instances, p_executions, p_activities, p_tokens, p_delays, p_ignore)
      WITH ORDINALITY x(instance, execution, activity, token, delay, ignore, ord)
    WHERE w.instance = x.instance AND w.execution = x.execution AND w.activity = x.activity AND w.token = x.token
      AND w.instance = ANY (p_instances) AND w.execution = ANY (p_executions) AND w.activity = ANY (p_activities)
    RETURNING x.ord;
END $$;
