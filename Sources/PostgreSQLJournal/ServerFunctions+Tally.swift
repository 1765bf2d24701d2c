// The numbers of rows in each state, which each station counts separately — bodies of functions in PL/pgSQL

extension ServerFunctions {
    static let checkTally = """
        BEGIN
            IF \(tallyDiffers(plan: "p_plan")) THEN
                RAISE EXCEPTION 'the tally' USING ERRCODE = '\(damagedTally)';
            END IF;
        END
        """

    /// Returns the SQL for the sums of all stations' counts, in the form that `StoredCount` decodes.
    static func tallySums(plan: String) -> String {
        "SELECT state, seal, sum(count) AS count FROM nfctool.tally WHERE plan = \(plan) GROUP BY state, seal"
    }

    /// Returns the SQL condition that is true if the counts differ from the rows.
    ///
    /// It is evaluated in a single statement, so that it sees both at the same moment.
    static func tallyDiffers(plan: String) -> String {
        """
        EXISTS (
            SELECT FROM (
                SELECT state, seal, count(*) AS count FROM nfctool.plan_row WHERE plan = \(plan) GROUP BY state, seal
            ) AS r FULL JOIN (
                \(tallySums(plan: plan)) HAVING sum(count) <> 0
            ) AS t USING (state, seal)
            WHERE r.count IS DISTINCT FROM t.count)
        """
    }

    static let countStep = """
        BEGIN
            IF p_from = p_to THEN RETURN; END IF;
            INSERT INTO nfctool.tally AS t (plan, station, state, seal, count)
            SELECT p_plan, coalesce(p_station, 0), state, p_seal, change
            FROM (VALUES (p_from, -1), (p_to, 1)) AS v (state, change) ORDER BY state
            ON CONFLICT (plan, station, state, seal) DO UPDATE SET count = t.count + excluded.count;
        END
        """

    static let counts = """
        BEGIN
            RETURN (SELECT json_agg(c) FROM (\(tallySums(plan: "p_plan"))) AS c);
        END
        """
}
