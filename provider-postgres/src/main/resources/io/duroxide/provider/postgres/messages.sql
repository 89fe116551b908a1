-- Whom messages are for, and how they get into the queue: everything that is sent goes through send.

-- The numbers of instances that messages or activities are for; those nobody knows are noted, and locked until the
-- transaction ends, so that nobody gives them a history or drops them meanwhile.
-- o_unknown: whether the instance has no history.
CREATE OR REPLACE FUNCTION @.address(
  p_ids text[], p_known bigint[],
  OUT o_keys bigint[], OUT o_unknown boolean[])
LANGUAGE plpgsql
@plans
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

-- The number of one instance, as address finds it.
CREATE OR REPLACE FUNCTION @.address_one(p_id text) RETURNS bigint
LANGUAGE plpgsql
AS $$
BEGIN
  RETURN (SELECT a.o_keys[1] FROM @.address(ARRAY[p_id], ARRAY[NULL::bigint]) a);
END $$;

-- When a message is visible: one that a commit sends at its fire time or at once, others after their delay and not before
-- their fire time.
CREATE OR REPLACE FUNCTION @.visible_at(p_now bigint, p_delay bigint, p_fire_at bigint) RETURNS bigint
LANGUAGE sql IMMUTABLE
AS $$
  SELECT CASE WHEN p_delay IS NOT NULL THEN greatest(p_now + p_delay, p_fire_at)
    WHEN p_fire_at > 0 THEN p_fire_at ELSE p_now END
$$;

-- How much later the messages of a mailbox without room would be visible than they are.
CREATE OR REPLACE FUNCTION @.far() RETURNS bigint
LANGUAGE sql IMMUTABLE
AS $$ SELECT 2305843009213693952 $$;

-- The room of a queue. p_rooms: null for those of a first execution.
CREATE OR REPLACE FUNCTION @.room(p_rooms @.queue_room[], p_queue text) RETURNS @.queue_room
LANGUAGE plpgsql IMMUTABLE
AS $$
DECLARE
  v_room @.queue_room;
BEGIN
  SELECT r.* INTO v_room FROM unnest(p_rooms) r WHERE r.queue = p_queue OR r.queue IS NULL
  ORDER BY r.queue NULLS LAST LIMIT 1;
  IF v_room.messages IS NULL THEN
    v_room.messages := 64;
    v_room.bytes := 4194304;
  END IF;
  RETURN v_room;
END $$;

-- Which of the messages have no room in the mailboxes of their instances, or stand behind others that have none. Whoever
-- parks has locked the instance: no commit makes room meanwhile.
CREATE OR REPLACE FUNCTION @.held_back(p_now bigint, p_messages @.new_message[], p_keys bigint[]) RETURNS boolean[]
LANGUAGE plpgsql
AS $$
DECLARE
  v_narrow bigint[];
  v_held boolean[];
BEGIN
  SELECT array_agg(DISTINCT i.key) INTO v_narrow
  FROM unnest(p_messages) WITH ORDINALITY x
  CROSS JOIN LATERAL (
    SELECT k.key, k.has_parked, k.mailboxes FROM @.instance k WHERE k.key = p_keys[x.ordinality] OFFSET 0) i
  WHERE x.kind = 1 AND (i.has_parked OR (@.room(i.mailboxes, x.name)).messages = 0);
  IF v_narrow IS NULL THEN
    RETURN NULL;
  END IF;
  PERFORM FROM @.instance i WHERE i.key = ANY (v_narrow) ORDER BY i.key FOR NO KEY UPDATE;
  SELECT array_agg(coalesce(x.kind = 1 AND ((@.room(i.mailboxes, x.name)).messages = 0 OR i.has_parked
      AND @.visible_at(p_now, x.delay, x.fire_at) <= p_now AND EXISTS (
        SELECT FROM @.message m WHERE m.instance = i.key AND m.name = x.name AND m.parked AND m.kind = 1)), false)
    ORDER BY x.ordinality)
  INTO v_held
  FROM unnest(p_messages) WITH ORDINALITY x
  LEFT JOIN LATERAL (
    SELECT k.key, k.has_parked, k.mailboxes FROM @.instance k
    WHERE k.key = p_keys[x.ordinality] AND k.key = ANY (v_narrow) OFFSET 0) i ON true;
  UPDATE @.instance i SET has_parked = true
  WHERE NOT i.has_parked AND i.key IN (SELECT k.key FROM unnest(p_keys, v_held) k(key, held) WHERE k.held);
  RETURN v_held;
END $$;

-- Parks the visible messages of instances, which are locked, that their mailboxes have no room for. Returns which; null for
-- none.
CREATE OR REPLACE FUNCTION @.hold_back(p_seen bigint, p_keys bigint[]) RETURNS bigint[]
LANGUAGE plpgsql
AS $$
DECLARE
  v_held bigint[];
  v_parked bigint[];
BEGIN
  WITH mail AS MATERIALIZED (
    SELECT m.instance, m.visible_at, m.seq, row_number() OVER queue AS place,
      sum(octet_length(m.payload)) OVER queue AS bytes, @.room(i.mailboxes, m.name) AS room,
      i.has_parked AND EXISTS (
        SELECT FROM @.message p
        WHERE p.instance = m.instance AND p.name = m.name AND p.parked AND p.kind = 1 AND p.seq < m.seq) AS behind
    FROM unnest(p_keys) k(key)
    CROSS JOIN LATERAL (SELECT o.has_parked, o.mailboxes FROM @.instance o WHERE o.key = k.key OFFSET 0) i
    CROSS JOIN LATERAL (
      SELECT o.* FROM @.message o
      WHERE o.instance = k.key AND o.visible_at <= p_seen AND o.kind = 1 AND NOT o.parked OFFSET 0) m
    WINDOW queue AS (PARTITION BY m.instance, m.name ORDER BY m.seq)),
  gone AS (
    UPDATE @.message m SET parked = true, visible_at = m.visible_at + @.far()
    FROM mail x
    WHERE m.instance = x.instance AND m.visible_at = x.visible_at AND m.seq = x.seq AND m.instance = ANY (p_keys)
      AND (x.behind OR x.place > (x.room).messages OR x.place > 1 AND x.bytes > (x.room).bytes)
    RETURNING m.instance, m.seq)
  SELECT array_agg(DISTINCT g.instance), array_agg(g.seq) INTO v_held, v_parked FROM gone g;
  IF v_held IS NOT NULL THEN
    UPDATE @.instance i SET has_parked = true WHERE i.key = ANY (v_held) AND NOT i.has_parked;
  END IF;
  RETURN v_parked;
END $$;

-- Parks all messages of queues that are closed, and lets out what others have room for. Returns how many were let out.
CREATE OR REPLACE FUNCTION @.rearrange(p_now bigint, p_key bigint, p_rooms @.queue_room[]) RETURNS bigint
LANGUAGE plpgsql
AS $$
DECLARE
  v_queue text;
  v_room @.queue_room;
  v_count bigint;
  v_released bigint := 0;
BEGIN
  UPDATE @.message m SET parked = true, visible_at = m.visible_at + @.far()
  WHERE m.instance = p_key AND m.visible_at < @.far() AND m.kind = 1 AND NOT m.parked
    AND (@.room(p_rooms, m.name)).messages = 0;
  SELECT min(m.name) INTO v_queue FROM @.message m WHERE m.instance = p_key AND m.parked AND m.kind = 1;
  WHILE v_queue IS NOT NULL LOOP
    v_room := @.room(p_rooms, v_queue);
    IF v_room.messages > 0 THEN
      UPDATE @.message m SET parked = false, visible_at = m.visible_at - @.far()
      FROM (
        SELECT w.visible_at, w.seq
        FROM (
          SELECT f.visible_at, f.seq, row_number() OVER (ORDER BY f.seq) AS place,
            sum(f.bytes) OVER (ORDER BY f.seq) AS bytes
          FROM (
            SELECT o.visible_at, o.seq, octet_length(o.payload) AS bytes FROM @.message o
            WHERE o.instance = p_key AND o.name = v_queue AND o.parked AND o.kind = 1
              AND o.visible_at <= p_now + @.far()
            ORDER BY o.seq LIMIT v_room.messages) f) w
        WHERE w.place = 1 OR w.bytes <= v_room.bytes
        UNION ALL
        SELECT o.visible_at, o.seq FROM @.message o
        WHERE o.instance = p_key AND o.visible_at > p_now + @.far() AND o.name = v_queue AND o.parked AND o.kind = 1) x
      WHERE m.instance = p_key AND m.visible_at = x.visible_at AND m.seq = x.seq;
      GET DIAGNOSTICS v_count = ROW_COUNT;
      v_released := v_released + v_count;
    END IF;
    SELECT min(m.name) INTO v_queue FROM @.message m
    WHERE m.instance = p_key AND m.parked AND m.kind = 1 AND m.name > v_queue;
  END LOOP;
  UPDATE @.instance i SET has_parked = NOT i.has_parked
  WHERE i.key = p_key AND i.has_parked <> EXISTS (
    SELECT FROM @.message m WHERE m.instance = p_key AND m.parked AND m.kind = 1);
  RETURN v_released;
END $$;

-- A start on its way into the queue.
CREATE OR REPLACE FUNCTION @.start_message(
  p_instance text, p_delay bigint, p_parent text, p_name text, p_version text, p_payload text) RETURNS @.new_message
LANGUAGE plpgsql
AS $$
DECLARE
  v_start @.new_message;
BEGIN
  v_start.instance := p_instance;
  v_start.kind := 2;
  v_start.delay := p_delay;
  v_start.parent := p_parent;
  v_start.name := p_name;
  v_start.version := p_version;
  v_start.payload := p_payload;
  RETURN v_start;
END $$;

-- The outcome of an activity on its way into the queue.
CREATE OR REPLACE FUNCTION @.outcome_message(p_instance text, p_payload text) RETURNS @.new_message
LANGUAGE plpgsql
AS $$
DECLARE
  v_outcome @.new_message;
BEGIN
  v_outcome.instance := p_instance;
  v_outcome.kind := 0;
  v_outcome.payload := p_payload;
  RETURN v_outcome;
END $$;

-- Queues messages, in their order.
CREATE OR REPLACE FUNCTION @.send(p_now bigint, p_messages @.new_message[]) RETURNS void
LANGUAGE plpgsql
AS $$
DECLARE
  v_sent integer := @.send_starts(p_now, p_messages);
  v_keys bigint[];
  v_unknown boolean[];
  v_parked boolean[];
  v_held boolean[];
BEGIN
  IF v_sent = cardinality(p_messages) THEN
    RETURN;
  ELSIF v_sent > 0 THEN
    p_messages := p_messages[v_sent + 1:];
  END IF;
  SELECT array_agg(i.key ORDER BY x.ordinality) INTO v_keys
  FROM unnest(p_messages) WITH ORDINALITY x
  LEFT JOIN LATERAL (SELECT k.key FROM @.instance k WHERE k.id = x.instance AND k.stage > 0 OFFSET 0) i ON true;
  IF array_position(v_keys, NULL) IS NOT NULL THEN
    SELECT a.o_keys, a.o_unknown INTO v_keys, v_unknown
    FROM @.address(ARRAY(SELECT x.instance FROM unnest(p_messages) x), v_keys) a;
    v_parked := @.park(p_messages, v_keys, v_unknown);
  END IF;
  IF EXISTS (SELECT FROM unnest(p_messages) x WHERE x.kind = 1) THEN
    v_held := @.held_back(p_now, p_messages, v_keys);
  END IF;
  INSERT INTO @.message (instance, visible_at, created_at, kind, parked, parent, name, version, payload)
  SELECT v_keys[x.ordinality],
    @.visible_at(p_now, x.delay, x.fire_at) + CASE WHEN v_held[x.ordinality] THEN @.far() ELSE 0 END, p_now, x.kind,
    coalesce(v_parked[x.ordinality], false) OR coalesce(v_held[x.ordinality], false), x.parent, x.name, x.version, x.payload
  FROM unnest(p_messages) WITH ORDINALITY x
  ORDER BY x.ordinality;
END $$;

-- Queues the starts at the beginning of messages of whose instances nobody has heard, so that nothing waits for them.
-- Returns how many those are.
CREATE OR REPLACE FUNCTION @.send_starts(p_now bigint, p_messages @.new_message[]) RETURNS integer
LANGUAGE plpgsql
AS $$
DECLARE
  v_one @.new_message;
  v_key bigint;
  v_sent integer := 0;
BEGIN
  FOREACH v_one IN ARRAY p_messages LOOP
    EXIT WHEN v_one.kind <> 2;
    -- To insert an id that is there would wait for whoever changes its row, and that one perhaps for this transaction.
    EXIT WHEN EXISTS (SELECT FROM @.instance i WHERE i.id = v_one.instance);
    INSERT INTO @.instance (id) VALUES (v_one.instance) ON CONFLICT (id) DO NOTHING RETURNING key INTO v_key;
    EXIT WHEN NOT FOUND;
    INSERT INTO @.message (instance, visible_at, created_at, kind, parked, parent, name, version, payload)
    VALUES (v_key, @.visible_at(p_now, v_one.delay, v_one.fire_at), p_now, 2, false, v_one.parent, v_one.name,
      v_one.version, v_one.payload);
    v_sent := v_sent + 1;
  END LOOP;
  RETURN v_sent;
END $$;

-- Which of the messages wait for a start that is not queued; a start among them brings what waited for it into line.
-- p_unknown: whether the instance has no history.
CREATE OR REPLACE FUNCTION @.park(p_messages @.new_message[], p_keys bigint[], p_unknown boolean[]) RETURNS boolean[]
LANGUAGE plpgsql
AS $$
DECLARE
  v_started bigint[];
  v_parked boolean[];
BEGIN
  SELECT array_agg(y.parked ORDER BY y.ord), array_agg(DISTINCT y.key) FILTER (WHERE y.unknown AND y.starts)
  INTO v_parked, v_started
  FROM (
    SELECT p_keys[x.ordinality] AS key, x.ordinality AS ord, p_unknown[x.ordinality] AS unknown,
      x.kind IN (2, 3) AS starts,
      p_unknown[x.ordinality] AND x.kind IN (0, 4, 5)
      AND NOT bool_or(x.kind IN (2, 3)) OVER (PARTITION BY p_keys[x.ordinality])
      AND NOT EXISTS (SELECT FROM @.message m WHERE m.instance = p_keys[x.ordinality] AND m.kind IN (2, 3)) AS parked
    FROM unnest(p_messages) WITH ORDINALITY x) y;
  IF v_started IS NOT NULL THEN
    UPDATE @.message m SET parked = false
    WHERE m.instance = ANY (v_started) AND m.visible_at < @.far() AND m.parked;
  END IF;
  RETURN v_parked;
END $$;

-- Whether a call with this receipt arrives for the first time: if the connection breaks before the answer, the same call
-- with the same receipt is safe to repeat. p_settled: receipts of calls that were answered, which nobody will ask for;
-- nor for those that nodes which are gone left an hour ago.
CREATE OR REPLACE FUNCTION @.is_first(p_now bigint, p_receipt uuid, p_settled uuid[]) RETURNS boolean
LANGUAGE plpgsql
AS $$
BEGIN
  IF p_settled IS NOT NULL THEN
    DELETE FROM @.receipt r WHERE r.id = ANY (p_settled) OR r.created_at < p_now - 3600000;
  END IF;
  INSERT INTO @.receipt (id, created_at) VALUES (p_receipt, p_now) ON CONFLICT (id) DO NOTHING;
  RETURN FOUND;
END $$;

-- Messages that come from outside a turn, as rows new_message; is_first explains the receipts.
CREATE OR REPLACE FUNCTION @.enqueue(p_now bigint, p_receipt uuid, p_settled uuid[], p_messages jsonb) RETURNS void
LANGUAGE plpgsql
@plans
AS $$
DECLARE
  v_now bigint := @.store_now(p_now);
BEGIN
  IF @.is_first(v_now, p_receipt, p_settled) THEN
    PERFORM @.send(v_now, ARRAY(SELECT m FROM jsonb_populate_recordset(NULL::@.new_message, p_messages) m));
  END IF;
END $$;
