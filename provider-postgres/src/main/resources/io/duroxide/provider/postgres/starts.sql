-- The start of an instance that must be new. The row of the instance is locked before it is decided whether it exists, so
-- of any number of callers one is accepted. A row without history exists if it has a start in the queue.
-- Returns whether the start was accepted. The receipt, which only an accepted start leaves, tells a repeated call that the
-- first one was; p_settled: receipts of calls that were answered.
CREATE OR REPLACE FUNCTION @.start_new(
  p_now bigint, p_receipt uuid, p_settled uuid[],
  p_id text, p_delay bigint, p_parent text, p_name text, p_version text, p_payload text)
RETURNS boolean
LANGUAGE plpgsql
@plans
AS $$
DECLARE
  v_now bigint := @.store_now(p_now);
  v_key bigint;
  v_unknown boolean := NOT EXISTS (SELECT FROM @.instance i WHERE i.id = p_id AND i.stage > 0);
BEGIN
  DELETE FROM @.receipt r WHERE r.id = ANY (p_settled);
  IF v_unknown THEN
    SELECT a.o_keys[1], a.o_unknown[1] INTO v_key, v_unknown
    FROM @.address(ARRAY[p_id], ARRAY[NULL::bigint]) a;
  END IF;
  IF NOT v_unknown OR EXISTS (SELECT FROM @.message m WHERE m.instance = v_key AND m.kind IN (2, 3)) THEN
    RETURN EXISTS (SELECT FROM @.receipt r WHERE r.id = p_receipt);
  END IF;
  INSERT INTO @.receipt (id, created_at) VALUES (p_receipt, v_now);
  PERFORM @.send(v_now, ARRAY[@.start_message(p_id, p_delay, p_parent, p_name, p_version, p_payload)]);
  RETURN true;
END $$;

-- Starts that a waiting fetch takes at once, as rows new_start in the order of their ids: an instance of which nobody has
-- heard is locked with its token from the beginning, others are merely sent their start.
-- A row for each: the server's time, and the number of the instance and of its message if it was taken.
CREATE OR REPLACE FUNCTION @.start_taken(
  p_now bigint, p_receipt uuid, p_settled uuid[], p_starts jsonb, p_lock bigint)
RETURNS TABLE (o_now bigint, o_key bigint, o_seq bigint)
LANGUAGE plpgsql
@plans
AS $$
DECLARE
  v_first boolean;
  v_one @.new_start;
  v_left @.new_message[] := '{}';
BEGIN
  o_now := @.store_now(p_now);
  v_first := @.is_first(o_now, p_receipt, p_settled);
  FOR v_one IN SELECT * FROM jsonb_populate_recordset(NULL::@.new_start, p_starts) LOOP
    o_key := NULL;
    IF NOT v_first THEN
      SELECT i.key, i.batch[1] INTO o_key, o_seq FROM @.instance i
      WHERE i.id = v_one.instance AND i.lock_token = v_one.token AND i.locked_until > o_now;
    ELSIF NOT EXISTS (SELECT FROM @.instance i WHERE i.id = v_one.instance) THEN
      o_seq := nextval('@.message_seq_seq');
      INSERT INTO @.instance (id, lock_token, locked_until, batch)
      VALUES (v_one.instance, v_one.token, o_now + p_lock, ARRAY[o_seq])
      ON CONFLICT (id) DO NOTHING RETURNING key INTO o_key;
    END IF;
    IF v_first AND o_key IS NOT NULL THEN
      INSERT INTO @.message (seq, instance, visible_at, created_at, kind, parked, name, version, payload)
      OVERRIDING SYSTEM VALUE
      VALUES (o_seq, o_key, o_now, o_now, 2, false, v_one.name, v_one.version, v_one.payload);
    ELSIF v_first THEN
      v_left := v_left || @.start_message(v_one.instance, 0, NULL, v_one.name, v_one.version, v_one.payload);
    END IF;
    RETURN NEXT;
  END LOOP;
  IF v_left <> '{}' THEN
    PERFORM @.send(o_now, v_left);
  END IF;
END $$;
