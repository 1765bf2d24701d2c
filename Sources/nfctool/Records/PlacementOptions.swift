// The place of a new message on a tag that already holds a message — Docs/CommandLine.md, write

import ArgumentParser

struct PlacementOptions: ParsableArguments {
    @Flag(help: "Add the records after those on the tag.")
    var append = false

    @Flag(
        help: """
            Write the new message next to the old one and switch with one write, so that the tag is never empty. \
            Needs room for both; phones must skip the old one, which most do. The next write or erase without \
            --atomic frees its space.
            """)
    var atomic = false
}
