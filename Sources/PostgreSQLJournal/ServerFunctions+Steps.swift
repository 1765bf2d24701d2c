// The steps of rows, and tags without a row — bodies of functions in PL/pgSQL

import Provisioning

extension ServerFunctions {
    /// Claims rows for a station.
    ///
    /// Near the end of a plan, each station claims few rows, so that an idle one does not hold rows that others need.
    ///
    /// `number + 0` keeps the server from searching the plan in the order of its rows for the few that are claimed.
    static let claimRows = """
        DECLARE
            v_count integer;
            r record;
            v_claims json[];
        BEGIN
            SELECT least(p_count, greatest(1, (SELECT sum(count) FROM nfctool.tally WHERE plan = p_plan AND state = 'pending')
                / (2 * (SELECT greatest(1, count(*)) FROM nfctool.station WHERE plan = p_plan AND seen > now() - interval '1 min'))))
            INTO v_count;
            \(claim("state = 'pending' AND claimant IS NULL", order: "number"))
            IF v_claims IS NULL THEN
                -- Claimed rows that were never bound are free again when their lease ends.
                \(claim("claimant IS NOT NULL AND (claimed_until < now() OR claimant = p_station)", order: "number + 0"))
            END IF;
            RETURN to_json(v_claims);
        END
        """

    /// Claims a row of another station.
    ///
    /// At the end of a plan, a waiting tag gets this row.
    ///
    /// Of these rows, the function chooses the one with the highest number, because the other station would use it last.
    /// It leaves rows that were claimed in the last 5 s, because the other station needs them for its current tag.
    static let takeClaim = """
        DECLARE
            v_count integer := 1;
            r record;
            v_claims json[];
        BEGIN
            \(claim("claimant <> p_station AND claimed_until < now() + make_interval(secs => p_lease - 5)", order: "number + 0 DESC"))
            RETURN to_json(v_claims);
        END
        """

    /// Returns the statements that claim up to `v_count` rows, with the variable `r`, and append them to `v_claims`.
    ///
    /// Each row is updated by its number. A server that has analysed other plans, but not yet this one, assumes that it
    /// has one row. If one statement joined the claimed rows with the plan, this server would read the whole plan —
    /// PostgreSQL, Statistics Used by the Planner.
    private static func claim(_ condition: String, order: String) -> String {
        """
        FOR r IN
            SELECT number, json_build_object('number', number, 'line', line, 'fields', fields, 'version', version) AS claim
            FROM nfctool.plan_row WHERE plan = p_plan AND \(condition)
            ORDER BY \(order) LIMIT v_count FOR UPDATE SKIP LOCKED
        LOOP
            UPDATE nfctool.plan_row
            SET claimant = p_station, claimed_until = now() + make_interval(secs => p_lease)
            WHERE plan = p_plan AND number = r.number;
            v_claims := v_claims || r.claim;
        END LOOP;
        """
    }

    /// Stores a refusal and returns NULL.
    ///
    /// If the tag has a row, this stores nothing and returns the number of that row, unless the tag was refused as
    /// another chip with the same UID.
    static let keepRefusal = """
        DECLARE
            v_uid bytea := decode(p_tag->>'uid', 'hex');
            -- Clients send and query this time with millisecond precision.
            v_time timestamptz := date_trunc('milliseconds', (p_tag->>'time')::timestamptz);
            v_row integer;
        BEGIN
            SELECT number INTO v_row FROM nfctool.plan_row WHERE plan = p_plan AND uid = v_uid;
            -- Another chip with the same UID may have a row.
            IF FOUND AND p_tag->>'cause' <> '\(RefusalCause.sameUID.rawValue)' THEN RETURN v_row; END IF;
            -- A refusal that is sent again after the connection broke counts once. A tag whose row was released does
            -- not count, as in the embedded journal.
            IF p_tag->>'cause' <> '\(RefusalCause.rowMoved.rawValue)' AND NOT EXISTS (SELECT FROM nfctool.refused_tag WHERE plan = p_plan AND uid = v_uid AND time = v_time) THEN
                INSERT INTO nfctool.refusal_tally AS t (plan, station, reader, count, last)
                VALUES (p_plan, coalesce(p_station, 0), left(p_tag->>'reader', \(ReaderRefusals.longestName)), 1, v_time)
                ON CONFLICT (plan, station, reader)
                DO UPDATE SET count = t.count + 1, last = greatest(t.last, excluded.last);
            END IF;
            INSERT INTO nfctool.refused_tag AS t
                (plan, uid, chip, reader, cause, reason, is_quarantined, time, station)
            VALUES (p_plan, v_uid, p_tag->>'chip', p_tag->>'reader', p_tag->>'cause', p_tag->>'reason',
                (p_tag->>'quarantined')::boolean, v_time, p_station)
            ON CONFLICT (plan, uid) DO UPDATE SET chip = excluded.chip, reader = excluded.reader,
                cause = excluded.cause, reason = excluded.reason,
                is_quarantined = t.is_quarantined OR excluded.is_quarantined, time = excluded.time,
                station = excluded.station;
            RETURN NULL;
        END
        """

    static let ask = """
        DECLARE
            v_row json;
            v_refusal json;
            v_claims json;
        BEGIN
            PERFORM nfctool.require_station(p_plan, p_station);
            -- This is written at most every 5 s, because a write waits for the disk.
            UPDATE nfctool.station
            SET seen = now(), last_tag = CASE WHEN p_uid IS NULL THEN last_tag ELSE now() END
            WHERE id = p_station AND plan = p_plan
                AND (seen < now() - interval '5 s' OR p_uid IS NOT NULL AND last_tag < now() - interval '5 s');
            IF p_uid IS NOT NULL THEN
                SELECT nfctool.row_facts(r) INTO v_row FROM nfctool.plan_row r WHERE plan = p_plan AND uid = p_uid;
                IF NOT FOUND THEN
                    SELECT \(refusalFacts("t")) INTO v_refusal FROM nfctool.refused_tag t
                    WHERE plan = p_plan AND uid = p_uid;
                END IF;
            END IF;
            IF p_claims > 0 AND v_row IS NULL AND (v_refusal->>'quarantined') IS DISTINCT FROM 'true' THEN
                v_claims := nfctool.claim_rows(p_plan, p_station, p_claims, p_lease);
                IF v_claims IS NULL AND p_uid IS NOT NULL THEN
                    v_claims := nfctool.take_claim(p_plan, p_station, p_lease);
                END IF;
            END IF;
            RETURN json_build_object('row', v_row, 'refusal', v_refusal, 'claims', v_claims,
                'counts', CASE WHEN p_counts THEN nfctool.counts(p_plan) END);
        END
        """

    /// Binds a row to a tag.
    ///
    /// The row is locked in the same subtransaction in which it is updated. If it were locked earlier, two transactions
    /// would hold it, and the server would have to store both — PostgreSQL, Multixacts and Wraparound.
    static let bind = """
        DECLARE
            r nfctool.plan_row;
            v_uid bytea := decode(p_tag->>'uid', 'hex');
            v_other integer;
            v_quarantined boolean;
            v_result text := 'bound';
        BEGIN
            PERFORM nfctool.require_station(p_plan, p_station);
            BEGIN
                SELECT * INTO r FROM nfctool.plan_row WHERE plan = p_plan AND number = p_number FOR UPDATE;
                IF NOT FOUND THEN RETURN json_build_object('result', 'noSuchRow'); END IF;
                SELECT number INTO v_other FROM nfctool.plan_row WHERE plan = p_plan AND uid = v_uid;
                SELECT is_quarantined INTO v_quarantined FROM nfctool.refused_tag WHERE plan = p_plan AND uid = v_uid;
                IF v_other IS NOT NULL OR v_quarantined OR r.state <> 'pending' THEN
                    v_result := 'refused';
                ELSIF r.claimant <> p_station AND r.claimed_until >= now() THEN
                    v_result := 'claimed';
                ELSE
                    UPDATE nfctool.plan_row
                    SET state = 'bound', uid = v_uid, chip = p_tag->>'chip', reader = p_tag->>'reader',
                        bound = (p_tag->>'bound')::timestamptz, station = p_station, claimant = NULL,
                        claimed_until = NULL, message_length = NULL, sha256 = NULL, signature = NULL, seconds = NULL,
                        reason = NULL, changed = clock_timestamp(), version = version + 1
                    WHERE plan = p_plan AND number = p_number;
                END IF;
            EXCEPTION WHEN unique_violation THEN
                -- Another station has just bound the tag.
                SELECT number INTO v_other FROM nfctool.plan_row WHERE plan = p_plan AND uid = v_uid;
                v_result := 'refused';
            END;
            IF v_result = 'bound' THEN
                IF v_quarantined IS NOT NULL THEN
                    DELETE FROM nfctool.refused_tag WHERE plan = p_plan AND uid = v_uid;
                END IF;
                PERFORM nfctool.count_step(p_plan, p_station, r.seal, 'pending', 'bound');
            END IF;
            RETURN json_build_object('result', v_result, 'tagRow', v_other, 'quarantined', coalesce(v_quarantined, false),
                'row', (SELECT nfctool.row_facts(n) FROM nfctool.plan_row n WHERE plan = p_plan AND number = p_number),
                'claims', CASE WHEN p_claims > 0 AND v_result = 'bound'
                    THEN nfctool.claim_rows(p_plan, p_station, p_claims, p_lease) END,
                'counts', CASE WHEN p_counts THEN nfctool.counts(p_plan) END);
        END
        """

    /// Applies steps to rows.
    ///
    /// Each step contains the version of its row. A step that arrives twice finds a later version and counts as done.
    /// If the row was released in the meantime, the step finds another tag, or none, in the row.
    static let change = """
        DECLARE
            s record;
            r nfctool.plan_row;
            v_result text;
            v_results json[] := '{}';
        BEGIN
            PERFORM nfctool.require_station(p_plan, p_station);
            FOR s IN SELECT * FROM json_to_recordset(p_steps) AS (
                number integer, version bigint, uid text, state text, length bigint, sha256 text, signature text,
                seconds double precision, reason text, refusal json)
            LOOP
                SELECT * INTO r FROM nfctool.plan_row WHERE plan = p_plan AND number = s.number FOR UPDATE;
                IF NOT FOUND THEN
                    v_result := 'moved';
                ELSIF r.uid IS NOT DISTINCT FROM decode(s.uid, 'hex') AND (p_station IS NULL OR r.station = p_station)
                    AND r.version = coalesce(s.version, r.version)
                THEN
                    IF r.state <> s.state
                        AND NOT EXISTS (SELECT FROM nfctool.legal_step WHERE from_state = r.state AND to_state = s.state)
                    THEN
                        RAISE EXCEPTION 'A row that is % does not become %.', r.state, s.state USING ERRCODE = '23514';
                    END IF;
                    UPDATE nfctool.plan_row
                    SET state = s.state, version = version + 1, reason = s.reason,
                        -- A later note on a verified row keeps the time at which its tag was verified.
                        changed = CASE WHEN r.state = s.state AND r.state IN ('proven', 'sealed') THEN changed
                            ELSE clock_timestamp() END,
                        message_length = s.length, sha256 = s.sha256, signature = s.signature, seconds = s.seconds,
                        uid = CASE WHEN s.state <> 'pending' THEN uid END,
                        chip = CASE WHEN s.state <> 'pending' THEN chip END,
                        reader = CASE WHEN s.state <> 'pending' THEN reader END,
                        bound = CASE WHEN s.state <> 'pending' THEN bound END,
                        station = CASE WHEN s.state <> 'pending' THEN station END
                    WHERE plan = p_plan AND number = s.number;
                    -- A change by an administrator is counted for the station that has the row.
                    PERFORM nfctool.count_step(p_plan, coalesce(p_station, r.station), r.seal, r.state, s.state);
                    v_result := 'done';
                ELSIF p_station IS NOT NULL AND (s.state = 'pending'
                    OR r.version > s.version AND r.uid = decode(s.uid, 'hex') AND r.station = p_station)
                THEN
                    v_result := 'done';
                ELSE
                    v_result := 'moved';
                END IF;
                IF s.refusal IS NOT NULL AND v_result = 'done' THEN
                    PERFORM nfctool.keep_refusal(p_plan, p_station, s.refusal);
                END IF;
                IF p_all AND v_result <> 'done' THEN
                    RAISE EXCEPTION 'changed meanwhile' USING ERRCODE = '\(changedMeanwhile)';
                END IF;
                v_results := v_results || json_build_object('number', s.number, 'result', v_result);
            END LOOP;
            RETURN json_build_object('results', to_json(v_results),
                'counts', CASE WHEN p_counts THEN nfctool.counts(p_plan) END);
        END
        """

    static let refuse = """
        BEGIN
            PERFORM nfctool.require_station(p_plan, p_station);
            RETURN json_build_object('tagRow', nfctool.keep_refusal(p_plan, p_station, p_tag));
        END
        """

    static let unquarantine = """
        BEGIN
            PERFORM nfctool.require_mine(p_plan);
            UPDATE nfctool.refused_tag SET is_quarantined = false
            WHERE plan = p_plan AND uid = p_uid AND is_quarantined;
            RETURN FOUND;
        END
        """
}
