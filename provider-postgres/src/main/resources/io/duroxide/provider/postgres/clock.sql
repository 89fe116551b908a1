-- The store's time: what a test gives, otherwise the server's.
CREATE OR REPLACE FUNCTION @.store_now(p_now bigint) RETURNS bigint
LANGUAGE sql
AS $$ SELECT coalesce(p_now, (date_part('epoch', clock_timestamp()) * 1000)::bigint) $$;

-- Shifts what is stored by the size of a step back, so that it is as far from now as it was; but messages that were not
-- visible at p_seen, nor sent without a delay, keep their instants. p_last: no message from before the step has a larger number.
CREATE OR REPLACE FUNCTION @.shift_times(p_back bigint, p_seen bigint, p_last bigint) RETURNS void
LANGUAGE plpgsql
AS $$
DECLARE
  c_never CONSTANT bigint := 4611686018427387903;
BEGIN
  UPDATE @.message m SET visible_at = m.visible_at - p_back
  WHERE m.seq <= p_last AND m.visible_at BETWEEN -c_never AND c_never
    AND m.visible_at - CASE WHEN m.visible_at >= @.far() THEN @.far() ELSE 0 END <= greatest(p_seen, m.created_at);
  UPDATE @.message m SET created_at = m.created_at - p_back
  WHERE m.seq <= p_last AND m.created_at BETWEEN -c_never AND c_never;
  UPDATE @.instance i SET locked_until = i.locked_until - p_back WHERE i.locked_until BETWEEN 1 AND c_never;
  UPDATE @.work w SET wake_at = w.wake_at - p_back WHERE NOT w.ready AND w.wake_at BETWEEN -c_never AND c_never;
  UPDATE @.session s SET locked_until = s.locked_until - p_back, used_at = s.used_at - p_back
  WHERE s.locked_until BETWEEN -c_never AND c_never;
  UPDATE @.node n SET until = n.until - p_back WHERE n.until BETWEEN -c_never AND c_never;
END $$;

-- A node's look at the clock. p_used: the largest time that it has heard; p_steps: the steps that it knows of; both null for
-- one that knows nothing. If the clock was set back by more than a second, and nobody has seen to it, everything is shifted.
-- What was written between two looks may be later than what is known of it, so a node that knows nothing adds p_margin.
CREATE OR REPLACE FUNCTION @.look_at_clock(p_now bigint, p_used bigint, p_steps bigint, p_margin bigint)
RETURNS @.clock_look
LANGUAGE plpgsql
AS $$
DECLARE
  v_clock @.clock;
  v_look @.clock_look;
  v_used bigint;
  v_before bigint;
  v_last bigint;
BEGIN
  INSERT INTO @.clock (id, used, last_message, steps, back) VALUES (1, 0, 0, 0, 0) ON CONFLICT DO NOTHING;
  SELECT * INTO v_clock FROM @.clock c FOR UPDATE;
  v_look.now := @.store_now(p_now);
  v_used := CASE WHEN p_steps = v_clock.steps THEN greatest(v_clock.used, p_used) ELSE v_clock.used END;
  v_look.shifted := v_look.now < v_used - 1000;
  IF v_look.shifted THEN
    LOCK TABLE @.instance, @.message, @.work, @.session, @.node IN EXCLUSIVE MODE;
    SELECT greatest(v_clock.last_message, max(m.seq) FILTER (WHERE m.created_at > v_look.now)),
      greatest(v_used + CASE WHEN p_steps = v_clock.steps THEN 0 ELSE p_margin END, max(m.created_at))
    INTO v_last, v_before FROM @.message m;
    v_clock.back := v_before - v_look.now;
    v_clock.steps := v_clock.steps + 1;
    PERFORM @.shift_times(v_clock.back, v_used, v_last);
  END IF;
  UPDATE @.clock c SET used = CASE WHEN v_look.shifted THEN v_look.now ELSE greatest(v_used, v_look.now) END,
    last_message = coalesce(pg_sequence_last_value(pg_get_serial_sequence('@.message', 'seq')::regclass), 0),
    steps = v_clock.steps, back = v_clock.back;
  v_look.steps := v_clock.steps;
  v_look.back := v_clock.back;
  RETURN v_look;
END $$;
