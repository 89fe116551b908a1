-- What clients ask for most: how instances are. Those that do not exist are left out.
CREATE FUNCTION @.status_v1(p_ids text[])
RETURNS TABLE (
  o_id text, o_execution bigint, o_status text, o_output text, o_custom text, o_custom_version bigint, o_updated_at bigint)
LANGUAGE plpgsql STABLE
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_mergejoin = off SET enable_hashjoin = off
SET jit = off
AS $$
BEGIN
  RETURN QUERY
    SELECT i.id, i.execution, i.status, e.output, c.status, coalesce(c.version, 0), i.updated_at
    FROM @.instance i
    LEFT JOIN @.execution e ON e.instance = i.key AND e.id = i.execution
    LEFT JOIN @.custom_status c ON c.instance = i.key
    WHERE i.id = ANY (p_ids) AND i.stage > 1;
END $$;
