-- Notes that sessions were used. It passes over those that others are at, who may wait for this transaction: most of them
-- note the same, and it matters only to sessions that are hardly used.
CREATE OR REPLACE FUNCTION @.touch_sessions(p_now bigint, p_ids text[]) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
  UPDATE @.session s SET used_at = p_now WHERE s.ctid = ANY (ARRAY(
    SELECT h.ctid FROM @.session h WHERE h.id = ANY (p_ids) AND h.locked_until > p_now
    FOR NO KEY UPDATE SKIP LOCKED));
END $$;

-- Activities that come from outside a turn; see enqueue.
CREATE OR REPLACE FUNCTION @.enqueue_work(
  p_now bigint, p_receipt uuid, p_settled uuid[],
  p_ids text[], p_executions bigint[], p_activities bigint[],
  p_names text[], p_tags text[], p_sessions text[], p_payloads text[])
RETURNS void
LANGUAGE plpgsql
@plans
AS $$
DECLARE
  v_now bigint := @.store_now(p_now);
  v_keys bigint[];
BEGIN
  IF NOT @.is_first(v_now, p_receipt, p_settled) THEN
    RETURN;
  END IF;
  -- All of them are addressed as if unknown: the lock keeps a deletion from leaving activities behind.
  SELECT a.o_keys INTO v_keys FROM @.address(p_ids, array_fill(NULL::bigint, ARRAY[cardinality(p_ids)])) a;
  INSERT INTO @.work (instance, execution, activity, wake_at, attempts, ready, name, tag, session, payload)
  SELECT x.key, x.execution, x.activity, v_now, 0, true, x.name, x.tag, x.session, x.payload
  FROM unnest(v_keys, p_executions, p_activities, p_names, p_tags, p_sessions, p_payloads)
    WITH ORDINALITY x(key, execution, activity, name, tag, session, payload, ord)
  ORDER BY x.ord;
END $$;

-- Locks activities that a worker may run, oldest first, one for each token.
--
-- p_names, p_tags: what it serves; null admits all. p_owner: who claims sessions; null leaves out what is bound to one.
-- p_claims: how many sessions that are new to the owner one fetch may claim.
-- p_ask: whether to say when something turns ready by itself.
-- p_again: the answer of a call with these tokens was lost; what it locked is returned now.
CREATE OR REPLACE FUNCTION @.fetch_work(
  p_now bigint, p_tokens uuid[], p_lock bigint, p_names text[], p_tags text[],
  p_owner text, p_lease bigint, p_claims integer, p_ask boolean, p_again boolean)
RETURNS SETOF @.work_row
LANGUAGE plpgsql
@plans
AS $$
DECLARE
  v_now bigint := @.store_now(p_now);
  v_filter @.work_filter := ROW(p_names, p_tags, p_owner, p_lease, p_claims)::@.work_filter;
  v_wanted integer := cardinality(p_tokens);
  v_window integer := cardinality(p_tokens) + 64;
  v_heads @.work_heads;
  v_taken @.work_taken;
  v_row @.work_row;
BEGIN
  v_row.part := 0;
  v_row.now := v_now;
  IF p_again THEN
    RETURN QUERY
      SELECT 1::smallint, NULL::boolean, NULL::boolean, NULL::bigint, NULL::bigint, w.instance, w.execution, w.activity,
        w.attempts, i.id::text, w.payload, w.token
      FROM @.work w JOIN @.instance i ON i.key = w.instance
      WHERE NOT w.ready AND w.wake_at > v_now AND w.token = ANY (p_tokens)
      ORDER BY w.seq;
    IF FOUND THEN
      v_row.is_left := true;
      v_row.contended := true;
      RETURN NEXT v_row;
      RETURN;
    END IF;
  END IF;
  PERFORM @.wake_work(v_now);
  v_taken.places := '{}';
  v_taken.refused := '{}';
  v_taken.claimed := '{}';
  v_taken.new := 0;
  v_taken.contended := false;
  LOOP
    v_heads := @.look_at_lanes(v_now, v_filter, v_window, v_taken.refused);
    EXIT WHEN v_heads.seqs IS NULL;
    IF array_remove(v_heads.sessions, NULL) = '{}' THEN
      v_taken := @.take_work(v_heads, v_wanted, v_taken);
    ELSE
      v_taken := @.take_bound_work(v_now, v_filter, v_heads, v_wanted, v_taken);
    END IF;
    EXIT WHEN v_taken.places <> '{}' OR (cardinality(v_heads.seqs) < v_window AND NOT v_taken.lost);
    v_window := v_window * 4;
  END LOOP;
  v_row.contended := v_taken.contended;
  v_row.is_left := v_taken.contended OR v_taken.refused <> '{}'
    OR cardinality(v_taken.places) < coalesce(cardinality(v_heads.seqs), 0);
  IF p_ask AND (v_taken.places = '{}' OR (cardinality(v_taken.places) < v_wanted AND NOT v_row.is_left)) THEN
    v_row.next := least(@.next_work(v_now, p_owner), CASE WHEN v_taken.places <> '{}' THEN v_now + p_lock END);
  END IF;
  RETURN NEXT v_row;
  IF v_taken.places <> '{}' THEN
    RETURN QUERY SELECT * FROM @.lock_work(v_taken.places, p_tokens, v_now + p_lock);
  END IF;
END $$;

-- Brings activities whose time has come, or whose lock has ended, back into their lanes. Whoever had one keeps its token, to give
-- it up; but the lock is over for good, whatever the clock shows later.
CREATE OR REPLACE FUNCTION @.wake_work(p_now bigint) RETURNS void
LANGUAGE plpgsql
AS $$
DECLARE
  v_due tid[];
BEGIN
  IF NOT EXISTS (SELECT FROM @.work s WHERE NOT s.ready AND s.wake_at <= p_now) THEN
    RETURN;
  END IF;
  LOOP
    SELECT array_agg(d.place) INTO v_due FROM (
      SELECT s.ctid AS place FROM @.work s
      WHERE NOT s.ready AND s.wake_at <= p_now ORDER BY s.wake_at LIMIT 1000
      FOR UPDATE SKIP LOCKED) d;
    EXIT WHEN v_due IS NULL;
    -- They are locked, so they stay where they are.
    UPDATE @.work w SET ready = true, wake_at = 0 WHERE w.ctid = ANY (v_due);
    EXIT WHEN cardinality(v_due) < 1000;
  END LOOP;
END $$;

-- The heads of all lanes that a worker serves, without locks. p_refused: sessions that it cannot have.
CREATE OR REPLACE FUNCTION @.look_at_lanes(p_now bigint, p_filter @.work_filter, p_window integer, p_refused text[])
RETURNS @.work_heads
LANGUAGE plpgsql
AS $$
DECLARE
  v_heads @.work_heads;
BEGIN
  WITH RECURSIVE lane AS (
    (SELECT w.name, w.tag FROM @.work w WHERE w.ready AND w.session IS NULL ORDER BY w.name, w.tag LIMIT 1)
    UNION ALL
    SELECT n.name, n.tag FROM lane l CROSS JOIN LATERAL (
      SELECT w.name, w.tag FROM @.work w
      WHERE w.ready AND w.session IS NULL AND (w.name, w.tag) > (l.name, l.tag)
      ORDER BY w.name, w.tag LIMIT 1) n),
  bound AS (
    (SELECT w.session FROM @.work w
     WHERE p_filter.owner IS NOT NULL AND w.ready AND w.session IS NOT NULL ORDER BY w.session LIMIT 1)
    UNION ALL
    SELECT n.session FROM bound b CROSS JOIN LATERAL (
      SELECT w.session FROM @.work w
      WHERE w.ready AND w.session IS NOT NULL AND w.session > b.session ORDER BY w.session LIMIT 1) n),
  head AS (
    SELECT h.* FROM lane l CROSS JOIN LATERAL (
      SELECT w.ctid AS place, w.seq, NULL::text AS session FROM @.work w
      WHERE w.ready AND w.session IS NULL AND w.name = l.name AND w.tag = l.tag
      ORDER BY w.seq LIMIT p_window) h
    WHERE (p_filter.names IS NULL OR l.name = ANY (p_filter.names)) AND (p_filter.tags IS NULL OR l.tag = ANY (p_filter.tags))
    UNION ALL
    SELECT h.* FROM bound b LEFT JOIN @.session s ON s.id = b.session CROSS JOIN LATERAL (
      SELECT w.ctid AS place, w.seq, w.session FROM @.work w
      WHERE w.ready AND w.session IS NOT NULL AND w.session = b.session
        AND (p_filter.names IS NULL OR w.name = ANY (p_filter.names))
        AND (p_filter.tags IS NULL OR w.tag = ANY (p_filter.tags))
      ORDER BY w.seq LIMIT p_window) h
    WHERE (s.id IS NULL OR s.locked_until <= p_now OR s.owner = p_filter.owner) AND NOT b.session = ANY (p_refused))
  SELECT array_agg(x.place ORDER BY x.seq), array_agg(x.seq ORDER BY x.seq), array_agg(x.session ORDER BY x.seq)
  INTO v_heads.places, v_heads.seqs, v_heads.sessions
  FROM (SELECT h.* FROM head h ORDER BY h.seq LIMIT p_window) x;
  RETURN v_heads;
END $$;

-- Locks the rows of heads that are bound to no session.
CREATE OR REPLACE FUNCTION @.take_work(p_heads @.work_heads, p_wanted integer, p_taken @.work_taken) RETURNS @.work_taken
LANGUAGE plpgsql
AS $$
BEGIN
  WITH held AS MATERIALIZED (
    SELECT c.place, c.ord
    FROM unnest(p_heads.places, p_heads.seqs) WITH ORDINALITY c(place, seq, ord)
    JOIN @.work w ON w.ctid = c.place AND w.seq = c.seq
    WHERE w.ready
    ORDER BY c.ord LIMIT p_wanted
    FOR UPDATE OF w SKIP LOCKED)
  SELECT coalesce(array_agg(h.place ORDER BY h.ord), '{}') INTO p_taken.places FROM held h;
  p_taken.contended := p_taken.contended OR cardinality(p_taken.places) < least(p_wanted, cardinality(p_heads.seqs));
  p_taken.lost := false;
  RETURN p_taken;
END $$;

-- Locks the rows of heads, and claims the sessions that some of them are bound to.
CREATE OR REPLACE FUNCTION @.take_bound_work(
  p_now bigint, p_filter @.work_filter, p_heads @.work_heads, p_wanted integer, p_taken @.work_taken)
RETURNS @.work_taken
LANGUAGE plpgsql
AS $$
DECLARE
  v_session text;
  v_place tid;
BEGIN
  p_taken.lost := false;
  FOR v_at IN 1 .. cardinality(p_heads.seqs) LOOP
    EXIT WHEN cardinality(p_taken.places) = p_wanted;
    v_session := p_heads.sessions[v_at];
    CONTINUE WHEN v_session = ANY (p_taken.refused);
    IF v_session IS NOT NULL AND NOT v_session = ANY (p_taken.claimed) THEN
      p_taken := @.claim_session(p_now, p_filter, v_session, p_taken);
      CONTINUE WHEN v_session = ANY (p_taken.refused);
    END IF;
    SELECT w.ctid INTO v_place FROM @.work w
    WHERE w.ctid = p_heads.places[v_at] AND w.seq = p_heads.seqs[v_at] AND w.ready
    FOR UPDATE SKIP LOCKED;
    IF FOUND THEN
      p_taken.places := p_taken.places || v_place;
    ELSE
      p_taken.contended := true;
    END IF;
  END LOOP;
  p_taken.contended := p_taken.contended OR p_taken.lost;
  RETURN p_taken;
END $$;

-- Claims a session, or notes that it cannot be had.
CREATE OR REPLACE FUNCTION @.claim_session(
  p_now bigint, p_filter @.work_filter, p_session text, p_taken @.work_taken)
RETURNS @.work_taken
LANGUAGE plpgsql
AS $$
DECLARE
  v_own boolean := EXISTS (
    SELECT FROM @.session s WHERE s.id = p_session AND s.owner = p_filter.owner AND s.locked_until > p_now);
BEGIN
  IF NOT v_own AND p_taken.new >= p_filter.claims THEN
    p_taken.refused := p_taken.refused || p_session;
    RETURN p_taken;
  END IF;
  INSERT INTO @.session AS s (id, owner, locked_until, used_at)
  VALUES (p_session, p_filter.owner, p_now + p_filter.lease, p_now)
  ON CONFLICT (id) DO UPDATE SET owner = excluded.owner, locked_until = excluded.locked_until,
    used_at = excluded.used_at
  WHERE s.owner = excluded.owner OR s.locked_until <= p_now;
  IF FOUND THEN
    p_taken.claimed := p_taken.claimed || p_session;
    p_taken.new := p_taken.new + (NOT v_own)::integer;
  ELSE
    -- Somebody else was faster.
    p_taken.refused := p_taken.refused || p_session;
    p_taken.lost := true;
  END IF;
  RETURN p_taken;
END $$;

-- When an activity turns ready by itself, or a session of others that some wait for.
CREATE OR REPLACE FUNCTION @.next_work(p_now bigint, p_owner text) RETURNS bigint
LANGUAGE plpgsql
AS $$
BEGIN
  RETURN least(
    (SELECT min(w.wake_at) FROM @.work w WHERE NOT w.ready),
    (SELECT min(s.locked_until) FROM @.session s
     WHERE p_owner IS NOT NULL AND s.locked_until > p_now AND s.owner <> p_owner
       AND EXISTS (SELECT FROM @.work w WHERE w.ready AND w.session IS NOT NULL AND w.session = s.id)));
END $$;

-- Gives rows of activities, which nobody else can change, their tokens; a row for each.
CREATE OR REPLACE FUNCTION @.lock_work(p_places tid[], p_tokens uuid[], p_until bigint) RETURNS SETOF @.work_row
LANGUAGE plpgsql
AS $$
BEGIN
  RETURN QUERY
    WITH given AS (
      UPDATE @.work w SET ready = false, token = p_tokens[t.ord], wake_at = p_until, attempts = w.attempts + 1
      FROM unnest(p_places) WITH ORDINALITY t(place, ord)
      WHERE w.ctid = t.place
      RETURNING w.instance, w.execution, w.activity, w.attempts, w.payload, w.token, w.seq)
    SELECT 1::smallint, NULL::boolean, NULL::boolean, NULL::bigint, NULL::bigint, g.instance, g.execution, g.activity,
      g.attempts, i.id::text, g.payload, g.token
    FROM given g
    CROSS JOIN LATERAL (SELECT k.id FROM @.instance k WHERE k.key = g.instance OFFSET 0) i
    ORDER BY g.seq;
END $$;

-- Removes activities and queues their outcomes; returns the positions of those whose locks were valid. They are locked in
-- the order in which they are given, which is that of their keys.
-- p_ids, p_payloads: the outcomes; an id is null where there is none.
CREATE OR REPLACE FUNCTION @.ack_work(
  p_now bigint, p_instances bigint[], p_executions bigint[], p_activities bigint[], p_tokens uuid[],
  p_ids text[], p_payloads text[])
RETURNS SETOF bigint
LANGUAGE plpgsql
@plans
AS $$
DECLARE
  v_now bigint;
  v_done bigint[];
  v_places tid[];
  v_sessions text[];
  v_outcomes @.new_message[];
BEGIN
  SELECT array_agg(x.ord ORDER BY x.ord), array_agg(w.place ORDER BY x.ord) INTO v_done, v_places
  FROM unnest(p_instances, p_executions, p_activities, p_tokens)
    WITH ORDINALITY x(instance, execution, activity, token, ord)
  CROSS JOIN LATERAL (
    SELECT w.ctid AS place FROM @.work w
    WHERE w.instance = x.instance AND w.execution = x.execution AND w.activity = x.activity AND w.token = x.token
    FOR UPDATE) w;
  v_now := @.store_now(p_now);
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
    PERFORM @.touch_sessions(v_now, v_sessions);
  END IF;
  v_outcomes := ARRAY(
    SELECT @.outcome_message(p_ids[d.pos], p_payloads[d.pos]) FROM unnest(v_done) d(pos) WHERE p_ids[d.pos] IS NOT NULL);
  IF v_outcomes <> '{}' THEN
    PERFORM @.send(v_now, v_outcomes);
  END IF;
  RETURN QUERY SELECT d.pos FROM unnest(v_done) d(pos);
END $$;

-- Sets the ends of locks; returns the positions of those that were still valid, and negative ones of those whose row another
-- transaction has: nobody waits for it, and the lock counts as held.
CREATE OR REPLACE FUNCTION @.renew_work(
  p_now bigint, p_instances bigint[], p_executions bigint[], p_activities bigint[], p_tokens uuid[], p_extend bigint[])
RETURNS SETOF bigint
LANGUAGE plpgsql
@plans
AS $$
DECLARE
  v_now bigint;
  v_done bigint[];
  v_free bigint[];
  v_sessions text[];
BEGIN
  WITH free AS MATERIALIZED (
    SELECT x.ord FROM unnest(p_instances, p_executions, p_activities, p_tokens)
      WITH ORDINALITY x(instance, execution, activity, token, ord)
    JOIN @.work w ON w.instance = x.instance AND w.execution = x.execution AND w.activity = x.activity AND w.token = x.token
      AND w.instance = ANY (p_instances) AND w.execution = ANY (p_executions) AND w.activity = ANY (p_activities)
    ORDER BY w.instance, w.execution, w.activity, w.seq
    FOR UPDATE OF w SKIP LOCKED)
  SELECT array_agg(f.ord) INTO v_free FROM free f;
  v_now := @.store_now(p_now);
  WITH renewed AS (
    UPDATE @.work w SET wake_at = v_now + x.extend
    FROM unnest(p_instances, p_executions, p_activities, p_tokens, p_extend)
      WITH ORDINALITY x(instance, execution, activity, token, extend, ord)
    WHERE w.instance = x.instance AND w.execution = x.execution AND w.activity = x.activity
      AND w.token = x.token AND w.wake_at > v_now AND x.ord = ANY (v_free)
      AND w.instance = ANY (p_instances) AND w.execution = ANY (p_executions) AND w.activity = ANY (p_activities)
    RETURNING x.ord, w.session)
  SELECT array_agg(r.ord), array_agg(DISTINCT r.session) FILTER (WHERE r.session IS NOT NULL)
  INTO v_done, v_sessions FROM renewed r;
  IF v_sessions IS NOT NULL THEN
    PERFORM @.touch_sessions(v_now, v_sessions);
  END IF;
  RETURN QUERY SELECT d.pos FROM unnest(v_done) d(pos);
  RETURN QUERY
    SELECT -x.ord FROM unnest(p_instances, p_executions, p_activities, p_tokens)
      WITH ORDINALITY x(instance, execution, activity, token, ord)
    JOIN @.work w ON w.instance = x.instance AND w.execution = x.execution AND w.activity = x.activity AND w.token = x.token
      AND w.instance = ANY (p_instances) AND w.execution = ANY (p_executions) AND w.activity = ANY (p_activities)
    WHERE x.ord <> ALL (coalesce(v_free, '{}'));
END $$;

-- Gives locks up; the activity is visible again after the delay. Also a lock that expired, if nobody took over.
CREATE OR REPLACE FUNCTION @.abandon_work(
  p_now bigint, p_instances bigint[], p_executions bigint[], p_activities bigint[], p_tokens uuid[],
  p_delays bigint[], p_ignore boolean[])
RETURNS SETOF bigint
LANGUAGE plpgsql
@plans
AS $$
DECLARE
  v_now bigint;
BEGIN
  PERFORM FROM unnest(p_instances, p_executions, p_activities, p_tokens) x(instance, execution, activity, token)
  JOIN @.work w ON w.instance = x.instance AND w.execution = x.execution AND w.activity = x.activity AND w.token = x.token
    AND w.instance = ANY (p_instances) AND w.execution = ANY (p_executions) AND w.activity = ANY (p_activities)
  ORDER BY w.instance, w.execution, w.activity, w.seq
  FOR UPDATE OF w;
  v_now := @.store_now(p_now);
  RETURN QUERY
    UPDATE @.work w SET token = NULL, ready = x.delay = 0, wake_at = v_now + x.delay,
      attempts = CASE WHEN x.ignore THEN greatest(0, w.attempts - 1) ELSE w.attempts END
    FROM unnest(p_instances, p_executions, p_activities, p_tokens, p_delays, p_ignore)
      WITH ORDINALITY x(instance, execution, activity, token, delay, ignore, ord)
    WHERE w.instance = x.instance AND w.execution = x.execution AND w.activity = x.activity AND w.token = x.token
      AND w.instance = ANY (p_instances) AND w.execution = ANY (p_executions) AND w.activity = ANY (p_activities)
    RETURNING x.ord;
END $$;
