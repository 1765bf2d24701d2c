// Commands that make emulate, provision, ndef, readers and doctor print everything that they can — Docs/JSON.md

extension SchemaScenario {
    static let ndefLines = #"""
        run 0 ndef check --wifi 'ssid=Guests;password=top secret' --uri http://www.example.com/ --text hi --app com.example.app --app com.example.b
        run 0 ndef check --tag --reader virtual:ntag215-protected,ultralight
        run 65 ndef check --uri noscheme --strict
        run 65 ndef check missing.ndef
        printf 'D1 01 FA 55 41' > bad.hex
        run 65 ndef check bad.hex --hex
        run 65 ndef decode bad.hex --hex
        nfctool ndef encode --smart-poster https://www.example.com/ --title Titel --wifi 'ssid=Guests;password=top secret' --mime image/png=hex:89 --smart-poster https://www.example.com/ --external a.b:c=d > all.ndef
        run 0 ndef decode all.ndef
        run 0 ndef check all.ndef
        echo D1010B5401656E78 zz | run 65 ndef decode --hex
        printf 'D0 00 00' | run 0 ndef decode --hex
        printf 'DA 03 01 02 61 62 63 FF 68 69 ' | run 0 ndef decode --hex
        printf 'D5 00 01 FF' | run 0 ndef decode --hex
        printf 'D1 01 00 55' | run 0 ndef decode --hex
        printf 'D3 05 00 68 74 74 70 3A' | run 0 ndef decode --hex
        run 0 sdm verify 'https://www.my424dna.com/?picc_data=FD91EC264309878BE6345CBE53BADF40&enc=CEE9A53E3E463EF1F459635736738962&cmac=ECC1E7F6C6C73BF6'
        run 65 sdm verify 'https://ntag.nxp.com/424?e=EF963FF7828658A599F3041510671E88&c=94EED9EE65337087'
        echo 00112233445566778899AABBCCDDEEFF > sdm.key; tag=virtual:sdm.nfc?kind=ntag424
        run 64 sdm setup 'https://example.com/?e={picc}&c={mac}' --reader $tag
        run 77 sdm setup 'https://example.com/?e={picc}&c={mac}' --key-file sdm.key --yes --reader $tag
        run 0 sdm keys --key-file sdm.key --yes --reader $tag
        run 0 sdm setup 'https://example.com/?e={picc}&c={mac}' --key-file sdm.key --yes --reader $tag
        run 0 sdm status --key-file sdm.key --reader $tag
        run 75 sdm keys --key-file sdm.key --old-key-file sdm.key --key-version 2 --yes --no-wait --reader "$tag&tear=40"
        run 78 sdm status --reader virtual
        run 77 sdm reset --yes --reader $tag
        run 0 sdm reset --key-file sdm.key --yes --reader $tag
        """#

    /// emulate, read and written by a second reader.
    static let emulateLines = #"""
        desk="virtual:?antenna=$RANDOM$RANDOM"
        run 0 emulate --text hi --writable --count 3 --reader "$desk" > emulated &
        said started 'out.*'
        run 0 write --uri https://example.com --reader "$desk"
        run 0 read --reader "$desk"
        run 0 apdu 00A4040007D276000085010100 00A4000C02E104 00D60000020FFF --reader "$desk"
        wait $!; cat emulated
        run 75 emulate --text hi --timeout 300ms --reader virtual
        run 78 emulate --text "$(printf %33000s x)" --reader virtual
        run 64 emulate --reader virtual
        """#

    static let rowsLines = #"""
        plan() { printf 'id,note\n' > $1; seq $2 | sed 's/$/,x/' >> $1; }
        uri='https://example.com/{id}'
        plan tags.csv 4
        run 0 provision run tags.csv --uri "$uri" --dry-run
        plan twice.csv 2; printf '2,x\n' >> twice.csv
        run 0 provision run twice.csv --uri "$uri" --dry-run --lock
        run 65 provision run twice.csv --uri '{id:raw}' --dry-run
        run 0 provision run twice.csv --uri '{id:raw}' --dry-run --force
        run 75 provision run tags.csv --uri "$uri" --timeout 500ms --reader 'virtual:a.nfc?kind=ntag213&serial=1'
        run 75 provision run tags.csv --uri "$uri" --timeout 500ms --reader 'virtual:a.nfc?kind=ntag213&serial=1'
        run 75 provision run tags.csv --uri "$uri" --timeout 2s --reader 'virtual:ntag215-protected,ntag215-read-only,ultralight,passport?stream&dwell=100ms'
        run 0 erase --reader 'virtual:a.nfc'
        run 75 provision run tags.csv --uri "$uri" --timeout 500ms --reader virtual:a.nfc --exec 'exit 3'
        run 75 provision run tags.csv --uri "$uri" --timeout 500ms --reader 'virtual:b.nfc?kind=ntag213&serial=2&tear=9'
        run 0 provision status tags.csv
        run 65 provision status missing.csv
        # A row is being written while its plan is looked at. The reader stops answering, so the write takes several seconds.
        plan slow.csv 1
        nfctool provision run slow.csv --text "{id} $(printf %800s x)" --json --timeout 2s --reader 'virtual:ntag216?hang=40' > slow &
        said '"started"' slow
        run 0 provision status slow.csv
        wait $!
        run 64 provision release 2 --plan tags.csv
        run 0 provision release 2 --plan tags.csv --yes
        run 64 provision release 1 --plan tags.csv
        run 0 provision release 1 --plan tags.csv --yes
        run 64 provision release 99 --plan tags.csv
        run 64 provision release --uid 0411571F000199 --plan tags.csv
        run 0 provision export out.csv out.jsonl out.html --plan tags.csv
        sed 's/^/report\t/' out.jsonl
        run 64 provision export out.csv --plan tags.csv
        run 0 provision export customer.html --summary --title 'Order 4711' --plan tags.csv
        run 64 provision export new.csv --summary --plan tags.csv
        run 64 provision export new.html --title '' --plan tags.csv
        # Three tags of a plan come again: one as it was, one changed, one erased; and one that has no row.
        run 0 provision run --range 1-3 --uri 'https://example.com/{n}/{random:16}' --timeout 1s --reader 'virtual:p.nfc,q.nfc,r.nfc?stream&kind=ntag213'
        nfctool write --uri https://example.com/other --quiet --reader virtual:q.nfc
        nfctool erase --quiet --reader virtual:r.nfc
        run 65 provision verify range-1-3.journal --report verified.jsonl --timeout 1s --reader 'virtual:p.nfc,s.nfc,q.nfc,r.nfc?stream&kind=ntag213'
        sed 's/^/verify-report\t/' verified.jsonl
        run 75 provision verify range-1-3.journal --timeout 500ms --reader virtual:p.nfc
        run 0 provision verify range-1-3.journal --count 1 --timeout 500ms --reader virtual:p.nfc
        run 75 provision verify range-1-3.journal --timeout 500ms --reader virtual:p.nfc,q.nfc
        run 74 provision verify range-1-3.journal --timeout 1s --reader 'virtual:p.nfc?mute=3'
        run any provision verify range-1-3.journal --timeout 500ms --reader 'virtual:p.nfc,q.nfc,r.nfc?stream&dwell=50ms&gap=50ms&loss=3&repeat'
        # A tag whose password protects fewer blocks than its row's did.
        echo 1A2B3C4D > password
        run 0 provision run --range 5-5 --uri 'https://example.com/{n}' --protect --password-file password --timeout 1s --reader 'virtual:w.nfc?kind=ntag213'
        sed -i 's/^Page 41: 04 00 00 04/Page 41: 04 00 00 10/' w.nfc
        run 65 provision verify range-5-5.journal --password-file password --report weak.jsonl --timeout 1s --reader virtual:w.nfc
        sed 's/^/verify-report\t/' weak.jsonl
        echo 00112233445566778899AABBCCDDEEFF > sdm.key
        run 64 provision run --range 1-1 --sdm 'https://example.com/{n}?e={picc}&c={mac}' --timeout 1s --reader 'virtual:d.nfc?kind=ntag424'
        run 64 provision run --range 1-1 --sdm 'https://example.com/{n}?e={picc}&c={mac}' --key-file sdm.key --timeout 1s --reader 'virtual:d.nfc?kind=ntag424'
        run 0 provision run --range 1-1 --sdm 'https://example.com/{n}?e={picc}&c={mac}' --key-file sdm.key --yes --timeout 1s --report sdm.jsonl --reader 'virtual:d.nfc?kind=ntag424'
        sed 's/^/report\t/' sdm.jsonl
        run 65 provision verify range-1-1.journal --timeout 500ms --reader virtual:d.nfc
        run 0 provision verify range-1-1.journal --key-file sdm.key --timeout 500ms --reader virtual:d.nfc
        run 64 provision reset 1 --plan range-1-3.journal
        run 0 provision reset 1 --plan range-1-3.journal --yes
        printf 'id\n\374\n' > western.csv
        run 65 provision run western.csv --uri "$uri" --dry-run
        run 0 provision run western.csv --uri "$uri" --dry-run --encoding windows-1252
        """#

    /// provision with locks, faulty tags and a lost reader.
    static let locksLines = #"""
        plan() { printf 'id,note\n' > $1; seq $2 | sed 's/$/,x/' >> $1; }
        uri='https://example.com/{id}'
        plan lock.csv 4
        run 75 provision run lock.csv --uri "$uri" --lock --yes --timeout 2s --reader 'virtual:ntag213,ultralight,ntag424?stream&dwell=100ms'
        # A single tag, so that a busy machine cannot end the run before it comes.
        plan blank.csv 1
        run 0 provision run blank.csv --uri "$uri" --yes --repeat-rows --reader virtual:ultralight
        run 0 provision status lock.csv
        run 0 provision export lock.jsonl --plan lock.csv
        sed 's/^/report\t/' lock.jsonl
        run 65 provision run lock.csv --uri "$uri?x" --reader virtual
        plan all.csv 2
        run 0 provision run all.csv --uri "$uri" --yes --repeat-rows --timeout 500ms --report all.jsonl --reader 'virtual:ntag213*2?stream&dwell=100ms'
        sed 's/^/report\t/' all.jsonl
        run 0 provision run all.csv --uri "$uri" --timeout 500ms --reader virtual
        plan all.csv 3
        run any provision verify all.csv --timeout 500ms --reader virtual:type4
        printf 'id\n1,2\n' > bad.csv
        run 65 provision run bad.csv --uri "$uri" --reader virtual
        run 65 provision run missing.csv --uri "$uri" --reader virtual
        plan lost.csv 2
        run 74 provision run lost.csv --uri "$uri" --repeat-rows --timeout 1s --reader 'virtual:ntag213?mute=3'
        plan weak.csv 9
        run 75 provision run weak.csv --uri "$uri" --repeat-rows --timeout 500ms --reader 'virtual:ntag213*3?stream&dwell=50ms&gap=50ms&loss=6&repeat'
        # A tag whose Lock Control TLV points to the wrong block: its lock bits lock nothing.
        run 0 write --text x --reader 'virtual:lock.nfc?kind=ntag213'
        sed -i 's/^Page 4: 01 03 A0 0C/Page 4: 01 03 A4 0C/; s/^Page 41: 04 00 00 FF/Page 41: 00 00 00 FF/' lock.nfc
        plan useless.csv 2
        run 75 provision run useless.csv --uri "$uri" --lock --yes --repeat-rows --overwrite always --timeout 500ms --reader 'virtual:lock.nfc?vendor=53'
        run 0 provision status useless.csv
        run 0 provision status quarantine.csv
        run 0 provision export quarantine.jsonl --plan quarantine.csv
        sed 's/^/report\t/' quarantine.jsonl
        run 0 provision release --plan quarantine.csv --uid 04A1B2C3D4E580
        """#

    /// readers and doctor, on a system in the folder `root`.
    static let systemLines = #"""
        export NFCTOOL_SYSTEM_ROOT=$PWD/root XDG_CONFIG_HOME=/cfg
        mkdir -p root/cfg/nfctool bin; echo 'desk = usb:1-2' > root/cfg/nfctool/readers
        run 0 readers
        run 69 doctor
        run 0 doctor --reader virtual
        run 74 doctor --reader 'virtual:?mute=0'
        run 69 doctor --bundle bundle.md
        printf '#!/bin/sh\ncat > /dev/null; exit 3\n' | tee bin/sudo bin/modprobe > bin/tee; chmod +x bin/*
        (PATH=$PWD/bin:$PATH; run 69 doctor --fix --yes)
        devices=root/sys/bus/usb/devices
        mkdir away; mv $devices/1-2* away
        run 69 readers
        run 69 doctor
        nfctool readers --watch --json > watched & watch=$!
        said '"readers"' watched
        mv away/1-2* $devices
        said '"arrived"' watched
        rm -r $devices/1-2*
        said '"left"' watched
        kill $watch
        sed 's/^/readers\t/' watched
        unset NFCTOOL_SYSTEM_ROOT XDG_CONFIG_HOME
        run any readers
        run any doctor
        """#

    /// A plan in a database.
    static let serverLines = #"""
        run 64 provision init-db postgresql://me:secret@/shop
        run 0 provision init-db "$(cat database)"
        printf 'id,uri\n1,https://example.com/1\n' > shop.csv
        run 0 provision run shop.csv --journal "$(cat database)" --station desk --timeout 2s --reader virtual:ntag213
        run 0 provision status --journal "$(cat database)"
        run 0 provision status --watch --journal "$(cat database)"
        run 64 provision board --journal "$(cat database)" --listen 0.0.0.0:0
        nfctool provision board --journal "$(cat database)" --listen 127.0.0.1:0 --json > board & board=$!
        said '"listening"' board
        run 69 provision board --journal "$(cat database)" --listen "127.0.0.1:$(sed 's/.*127.0.0.1:\([0-9]*\).*/\1/' board)"
        port=$(sed 's/.*127.0.0.1:\([0-9]*\).*/\1/' board)
        # What a program gets of a board is a progress object.
        for try in 1 2 3 4 5 6 7 8 9 10; do
          exec 3<>"/dev/tcp/127.0.0.1/$port"
          printf 'GET /state.json HTTP/1.1\r\nHost: localhost\r\n\r\n' >&3
          grep '"lastHour"' <&3 > state && break
          sleep 0.2
        done
        sed 's/^/provision-status\t/' state
        [ -s state ] || printf 'wrong\tno state.json\n'
        kill $board
        # A signal is its only end.
        wait $board; [ $? = 130 ] && printf 'ran\tprovision-board\t0\n'
        sed 's/^/provision-board\t/' board
        """#
}
