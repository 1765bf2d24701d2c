// Starting, loading, extending, replacing and deleting plans in the database — bodies of functions in PL/pgSQL

extension ServerFunctions {
    static let beginPlan = """
        DECLARE
            v_id integer;
        BEGIN
            -- If another station is inserting the same plan, this statement waits for it.
            INSERT INTO nfctool.plan (owner, name, file, sha256, recipe, begun)
            VALUES (session_user, p_name, p_file, '', '[]', now()) RETURNING id INTO v_id;
            RETURN v_id;
        EXCEPTION WHEN unique_violation THEN
            RAISE EXCEPTION 'exists' USING ERRCODE = '\(planExists)';
        END
        """

    static let takeRows = """
        DECLARE
            v_count integer;
        BEGIN
            PERFORM nfctool.require_mine(p_plan);
            PERFORM FROM nfctool.plan WHERE id = p_plan FOR UPDATE;
            IF NOT FOUND OR coalesce((SELECT max(number) FROM nfctool.plan_row WHERE plan = p_plan), 0) + 1 <> p_first THEN
                RAISE EXCEPTION 'changed meanwhile' USING ERRCODE = '\(changedMeanwhile)';
            END IF;
            WITH added AS (
                INSERT INTO nfctool.plan_row (plan, number, line, seal, fields)
                SELECT p_plan, number, line,
                    CASE WHEN coalesce(lock, p_lock) THEN 2 ELSE 0 END + CASE WHEN coalesce(protect, p_protect) THEN 1 ELSE 0 END,
                    fields
                FROM nfctool.loading WHERE load = pg_current_xact_id() ORDER BY number
                RETURNING seal
            ), counted AS (
                INSERT INTO nfctool.tally AS t (plan, station, state, seal, count)
                SELECT p_plan, 0, 'pending', seal, count(*) FROM added GROUP BY seal
                ON CONFLICT (plan, station, state, seal) DO UPDATE SET count = t.count + excluded.count
                RETURNING 1
            )
            SELECT (SELECT count(*) FROM added) INTO v_count;
            DELETE FROM nfctool.loading WHERE load = pg_current_xact_id();
            UPDATE nfctool.plan SET file = p_file, sha256 = p_sha256, recipe = p_recipe WHERE id = p_plan;
            -- Until the server has analysed a plan, it assumes that the plan is as long as others, or that it has one row.
            -- It would then read all rows to find one, and remember this way of searching.
            ANALYZE (SKIP_LOCKED) nfctool.plan_row;
            RETURN v_count;
        END
        """

    static let shortenPlan = """
        DECLARE
            v_row json;
        BEGIN
            PERFORM nfctool.require_mine(p_plan);
            PERFORM FROM nfctool.plan WHERE id = p_plan AND sha256 = p_written FOR UPDATE;
            IF NOT FOUND THEN RAISE EXCEPTION 'changed meanwhile' USING ERRCODE = '\(changedMeanwhile)'; END IF;
            PERFORM FROM nfctool.plan_row WHERE plan = p_plan AND number > p_count FOR UPDATE;
            SELECT nfctool.row_facts(r) INTO v_row FROM nfctool.plan_row r
            WHERE plan = p_plan AND number > p_count AND state <> 'pending' ORDER BY number LIMIT 1;
            IF FOUND THEN RETURN v_row; END IF;
            WITH gone AS (
                DELETE FROM nfctool.plan_row WHERE plan = p_plan AND number > p_count RETURNING seal
            )
            UPDATE nfctool.tally t SET count = t.count - g.count
            FROM (SELECT seal, count(*) AS count FROM gone GROUP BY seal) AS g
            WHERE t.plan = p_plan AND t.station = 0 AND t.state = 'pending' AND t.seal = g.seal;
            UPDATE nfctool.plan SET file = p_file, sha256 = p_sha256, recipe = p_recipe WHERE id = p_plan;
            RETURN NULL;
        END
        """

    /// The function for stations of version 1, which do not pass the digest of the stored plan.
    static let shortenPlanOfVersion1 = """
        BEGIN
            RETURN nfctool.shorten_plan(p_plan, (SELECT sha256 FROM nfctool.plan WHERE id = p_plan), p_count, p_file,
                p_sha256, p_recipe);
        END
        """

    /// Deletes the rows, unless a tag has one of them or another station is working.
    ///
    /// After this, the other stations no longer belong to the plan.
    static let emptyPlan = """
        BEGIN
            PERFORM nfctool.require_station(p_plan, p_station);
            PERFORM FROM nfctool.plan WHERE id = p_plan FOR UPDATE;
            PERFORM FROM nfctool.plan_row WHERE plan = p_plan FOR UPDATE;
            IF EXISTS (SELECT FROM nfctool.plan_row WHERE plan = p_plan AND (state <> 'pending'
                    OR claimant <> coalesce(p_station, 0) AND claimed_until >= now()))
                OR EXISTS (SELECT FROM nfctool.station WHERE plan = p_plan AND id <> coalesce(p_station, 0)
                    AND seen > now() - interval '1 min')
            THEN RETURN false; END IF;
            DELETE FROM nfctool.tally WHERE plan = p_plan;
            DELETE FROM nfctool.refusal_tally WHERE plan = p_plan;
            DELETE FROM nfctool.plan_row WHERE plan = p_plan;
            DELETE FROM nfctool.station WHERE plan = p_plan AND id <> coalesce(p_station, 0);
            UPDATE nfctool.plan SET begun = now() WHERE id = p_plan;
            RETURN true;
        END
        """

    static let discardPlan = """
        BEGIN
            IF NOT nfctool.empty_plan(p_plan, p_station) THEN RETURN false; END IF;
            DELETE FROM nfctool.refused_tag WHERE plan = p_plan;
            DELETE FROM nfctool.station WHERE plan = p_plan;
            DELETE FROM nfctool.plan WHERE id = p_plan;
            RETURN true;
        END
        """
}
