// Access rights, and stations that join and leave — bodies of functions in PL/pgSQL

import Provisioning

extension ServerFunctions {
    static let requireMine = """
        BEGIN
            IF NOT EXISTS (SELECT FROM nfctool.plan WHERE id = p_plan AND nfctool.is_mine(owner)) THEN
                RAISE EXCEPTION 'There is no such plan for the login %.', session_user USING ERRCODE = '42501';
            END IF;
        END
        """

    /// Checks that a station's ID belongs to the plan.
    ///
    /// NULL stands for an administrator.
    static let requireStation = """
        BEGIN
            PERFORM nfctool.require_mine(p_plan);
            IF p_station IS NOT NULL
                AND NOT EXISTS (SELECT FROM nfctool.station WHERE id = p_station AND plan = p_plan)
            THEN
                RAISE EXCEPTION 'There is no such station in this plan.' USING ERRCODE = '\(stationGone)';
            END IF;
        END
        """

    /// Adds a station to a plan, and takes the lock for its name.
    ///
    /// The lock belongs to the session: while it is held, the process is alive, and after it is lost, no step of the
    /// process is in progress.
    ///
    /// If a station was seen in the last 10 min and did not leave, the rows are not counted again. In a long plan, the
    /// server needs up to a second for this, and all stations may come back at the same time.
    static let joinPlan = """
        DECLARE
            v_id integer;
            v_returns boolean;
        BEGIN
            PERFORM nfctool.require_mine(p_plan);
            IF length(p_station) NOT BETWEEN \(StationName.lengths.lowerBound) AND \(StationName.lengths.upperBound) THEN
                RAISE EXCEPTION 'The station name is empty or too long.' USING ERRCODE = '22023';
            END IF;
            SELECT left_at IS NULL AND seen > now() - interval '10 min' INTO v_returns FROM nfctool.station
            WHERE plan = p_plan AND name = p_station;
            INSERT INTO nfctool.station (plan, name, login, joined, seen, last_tag)
            VALUES (p_plan, p_station, session_user, now(), now(), now()) ON CONFLICT DO NOTHING;
            SELECT id INTO v_id FROM nfctool.station WHERE plan = p_plan AND name = p_station;
            -- After a process is killed, its session takes a moment to end.
            FOR attempt IN 1..10 LOOP
                EXIT WHEN pg_try_advisory_lock(\(lockClass), v_id);
                IF attempt = 10 THEN RAISE EXCEPTION 'in use' USING ERRCODE = '\(stationTaken)'; END IF;
                PERFORM pg_sleep(0.1);
            END LOOP;
            UPDATE nfctool.station SET login = session_user, joined = now(), seen = now(), last_tag = now(),
                left_at = NULL
            WHERE id = v_id;
            UPDATE nfctool.plan_row SET claimant = NULL, claimed_until = NULL WHERE plan = p_plan AND claimant = v_id;
            IF v_returns IS NOT TRUE THEN PERFORM nfctool.check_tally(p_plan); END IF;
            RETURN v_id;
        END
        """

    static let leavePlan = """
        BEGIN
            PERFORM nfctool.require_station(p_plan, p_station);
            UPDATE nfctool.plan_row SET claimant = NULL, claimed_until = NULL
            WHERE plan = p_plan AND claimant = p_station;
            UPDATE nfctool.station SET left_at = now() WHERE plan = p_plan AND id = p_station;
        END
        """
}
