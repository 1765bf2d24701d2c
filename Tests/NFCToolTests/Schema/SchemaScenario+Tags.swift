// Commands that make the commands for one tag print everything that they can — Docs/JSON.md

extension SchemaScenario {
    static let readLines = #"""
        run 0 read --reader virtual
        run 0 read --reader virtual:ntag213,type4,felica-lite-s-ndef,topaz96,classic1k-ndef,type4b
        run 0 read --reader virtual:ultralight
        run 0 read --reader 'virtual:ntag213*9'
        run 64 read --colour
        run 64 read --reader virtual:ntag217
        run 69 read --reader usb:9-9
        run 78 read --type 5 --reader virtual
        run 74 read --reader 'virtual:?mute=0'
        run 75 read --timeout 100ms --reader "virtual:?antenna=$RANDOM$RANDOM"
        echo 11223344 > pw
        run 0 protect --read --password-file pw --reader 'virtual:tag.nfc?kind=ntag213'
        run 77 read --reader virtual:tag.nfc
        run 0 read --password-file pw --reader virtual:tag.nfc
        echo 55667788 > pw
        run 77 read --password-file pw --reader virtual:tag.nfc
        nfctool write --bluetooth 00:0D:3C:01:02:03 --quiet --reader virtual:device.nfc
        run 0 read device.nfc
        run 65 read missing.nfc
        """#

    /// write, with each kind of failure.
    static let writeLines = #"""
        run 0 write --reader virtual:ntag216 --text Grüße --lang de --uri tel:+491234 --smart-poster https://example.com --title Titel --mime text/plain=hi --mime image/png=hex:89504E47 --external example.com:t=hex:0102 --app com.example.app --wifi 'ssid=Guests;password=correct horse' --vcard BEGIN:VCARD --tel +49301234 --mail a@example.com --geo 1,2 --empty
        run 0 write --vcard 'name=Ada Lovelace;org=Engines;title=Countess;tel=+44 20;mail=a@example.com;url=https://example.com;address=1 St;note=Hi' --reader virtual
        run 0 write --calendar "$(printf '%s\n' BEGIN:VCALENDAR BEGIN:VEVENT SUMMARY:Tea 'DTSTART;TZID=Europe/London:20260101T120000' DTEND:20260101T130000 LOCATION:Here DESCRIPTION:Hot URL:https://example.com END:VEVENT END:VCALENDAR)" --reader virtual
        run 0 write --uri noscheme --force --reader virtual:type4
        run 64 write --reader virtual
        run 64 write --text hi --reader virtual:ultralight
        run 0 write --text hi --yes --reader virtual:ultralight
        run 0 write --text hi --atomic --reader virtual:ntag215
        run 0 write --text hi --append --reader virtual
        run 0 write --uri 'https://x.example/?u={uid:mirror}' --reader virtual
        run 65 write --uri noscheme --reader virtual
        run 65 write --mime image/png=@missing.png --reader virtual
        run 64 write --external example.com:t=hex:0g --reader virtual
        run 65 write --ndef hex:D101FA5541 --reader virtual
        run 75 write --text 'A message that is lost' --no-wait --reader 'virtual:?loss=4'
        run 77 write --text hi --reader virtual:ntag215-read-only
        run 77 write --text hi --reader virtual:ntag215-protected
        run 78 write --text '{uid:mirror}' --reader virtual:ntag203
        run 78 write --text hi --reader virtual:ntag213,ntag215
        run 78 write --text hi --reader 'virtual:ntag213*9'
        run 78 write --text "$(printf %300s x)" --reader virtual:ntag213
        run 78 write --text hi --reader virtual:mifare-plus
        """#

    /// scan.
    static let scanLines = #"""
        printf '#!/bin/sh\nexit 3\n' > xdg-open; chmod +x xdg-open; PATH=$PWD:$PATH
        run 0 scan --count 2 --reader 'virtual:ntag213*2?stream&gap=700ms'
        run 75 scan --timeout 300ms --reader "virtual:?antenna=$RANDOM$RANDOM"
        run 0 scan --for 1s --reader 'virtual:?loss=9'
        run 0 scan --count 1 --keyboard '{uri}\n' --dry-run --reader virtual
        run 0 scan --count 1 --keyboard '{uri}\n' --dry-run --reader virtual:ntag213
        run 0 scan --count 1 --open --reader virtual
        printf '#!/bin/sh\n' > xdg-open
        run 0 scan --count 1 --open --reader virtual
        echo '{"type": "U", "run": "exit $NFC_CODE"}' > rules
        run 0 scan --count 1 --rules rules --reader virtual
        NFC_CODE=3 run 0 scan --count 1 --rules rules --reader virtual
        echo '{"type": "U", "run": 3}' > rules
        run 65 scan --rules rules --reader virtual
        echo 11223344 > pw
        run 0 protect --read --password-file pw --reader 'virtual:tag.nfc?kind=ntag213'
        run 0 scan --count 1 --reader virtual:tag.nfc
        echo 55667788 > pw
        run 77 scan --count 1 --password-file pw --reader virtual:tag.nfc
        run 0 scan --for 1s --reader 'virtual:?mute=1'
        """#

    /// scan, with a reader that leaves and comes back.
    static let boardLines = #"""
        nfctool simulate --tag ntag213 --symlink $PWD/board > terminal & board=$!
        said pn532_uart terminal
        run 0 scan --count 2 --timeout 20s --reader pn532_uart:$PWD/board > scanned & scan=$!
        said '"tag"' 'out.*'
        kill $board
        said '"readerLost"' 'out.*'
        nfctool simulate --tag ntag213 --symlink $PWD/board > terminal & board=$!
        wait $scan
        kill $board
        cat scanned
        """#

    static let infoLines = #"""
        for kind in ntag203 ntag213 ntag215-read-only ntag215-protected ntag216 ntag-i2c-1k ultralight ultralight-ev1 ultralight-c ultralight-aes ntag223-dna; do run 0 info --reader virtual:$kind; done
        run 0 info --reader virtual:type4-v3,desfire,ntag424,type4b,felica-lite-s,felica-standard,topaz512,application-card,passport
        run 0 info --reader virtual:classic1k,classic1k-ndef
        run 0 info --reader virtual:classic1k-magic2
        run 65 info --key-file /dev/null --reader virtual:classic1k
        run 0 info --reader 'virtual:ntag213*9'
        run 0 write --uri 'https://x.example/?t={uid:mirror}x{counter:mirror}' --reader 'virtual:tag.nfc?kind=ntag213'
        run 0 info --reader virtual:tag.nfc
        run 0 info tag.nfc
        run 64 info tag.nfc --reader virtual
        run 74 info --reader 'virtual:?mute=0'
        """#

    /// erase, format, lock, protect, unprotect and copy.
    static let changeLines = #"""
        echo 11223344 > pw; echo 00112233445566778899AABBCCDDEEFF > key
        run 0 erase --reader virtual
        run 0 erase --wipe --reader virtual
        run 78 erase --reader virtual:ultralight
        run 0 format --reader virtual
        run 0 format --yes --reader virtual:classic1k
        run 64 format --reader virtual:desfire
        run 0 format --factory --reader virtual:classic1k
        run 64 format --factory --reader virtual:classic1k-ndef
        run 78 format --factory --reader virtual:ntag213
        run 64 lock --reader virtual
        run 0 lock --yes --reader virtual
        run 0 lock --reader virtual:ntag215-read-only
        run 77 lock --yes --force --reader virtual:type4
        run 65 lock --yes --reader virtual:felica-lite-s-ndef
        run 0 lock --yes --force --reader virtual:felica-lite-s-ndef
        run 77 lock --yes --force --reader virtual:ntag424
        run 75 lock --yes --reader 'virtual:?loss=17'
        run 0 protect --password-file pw --reader virtual:ntag213
        run 0 protect --read --from 10 --password-file pw --reader virtual:ntag213
        run 64 protect --limit 3 --password-file pw --reader virtual:ntag213
        run 0 protect --limit 3 --yes --password-file pw --reader 'virtual:tag.nfc?kind=ntag213'
        XDG_STATE_HOME=$PWD/other NFCTOOL_PASSWORD=FFFFFFFF run 77 erase --yes --reader virtual:tag.nfc
        XDG_STATE_HOME=$PWD/other NFCTOOL_PASSWORD=FFFFFFFF run 77 erase --reader virtual:tag.nfc
        XDG_STATE_HOME=$PWD/third NFCTOOL_PASSWORD=FFFFFFFF run 64 erase --reader virtual:tag.nfc
        run 75 protect --no-wait --password-file pw --reader 'virtual:ntag213?loss=9'
        run 77 protect --reader virtual:ntag213 < /dev/null
        run 0 protect --password-file key --reader 'virtual:c.nfc?kind=ultralight-c'
        run 0 unprotect --password-file key --reader virtual:c.nfc
        run 64 unprotect --password-file pw --reader virtual:tag.nfc
        run 0 unprotect --yes --password-file pw --reader virtual:tag.nfc
        run 78 protect --password-file pw --reader virtual:type4
        run 64 copy --reader virtual --count 0
        run 0 write --text hi --reader 'virtual:a.nfc?serial=1'
        run 0 copy --count 2 --reader 'virtual:a.nfc,ntag213*2?stream&dwell=200ms&serial=2'
        run 75 copy --timeout 300ms --reader virtual
        """#

    /// recover, after writes and a restore that were interrupted.
    static let recoverLines = #"""
        tag=virtual:tag.nfc?serial=1
        run 0 recover
        run 0 recover --list
        run 0 write --text 'The old message' --reader $tag
        run 0 dump old.json --reader $tag
        run 75 write --no-wait --text 'The new message' --reader "$tag&tear=6"
        run 0 recover --list
        run 75 recover --timeout 300ms --reader virtual:ntag213
        run 0 read --reader $tag
        run 75 write --append --text x --reader $tag
        run 0 recover --reader $tag
        run 75 write --no-wait --text 'Another message' --reader "$tag&tear=6"
        run 0 recover --rollback --reader $tag
        run 0 write --text 'The very new message' --reader $tag
        for number in $(seq 12 24); do
            run any restore old.json --yes --reader "$tag&tear=$number"
            nfctool info --json --reader $tag | grep -q unfinished && break
        done
        run 0 recover --list
        run 0 info --reader $tag
        run 0 read --reader $tag
        run 75 recover --reader $tag
        run 75 lock --yes --reader $tag
        cat old.json | run 0 restore - --yes --reader $tag
        echo '{' > nfctool/writes/0411571F000181.json
        run 65 recover --list
        """#

    /// write with --lock and --protect, with several tags and as a dry run, and undo.
    static let undoLines = #"""
        tag='virtual:tag.nfc?serial=1&kind=ntag213'
        echo A1B2C3D4:0000 > pw
        run 0 undo
        run 0 undo --redo
        run 0 undo --list
        run 0 write --dry-run --text 'Nothing yet' --lock --reader "$tag"
        run 0 write --text 'The old message' --reader "$tag"
        run 0 write --text 'The new message' --protect pw --reader "$tag"
        run 0 undo --list
        run 77 undo --reader "$tag"
        run 0 undo --password-file pw --reader "$tag"
        run 0 undo --list
        run 0 undo --redo --password-file pw --reader "$tag"
        run 0 undo --password-file pw --reader "$tag"
        run 0 write --text 'The last message' --lock --yes --password-file pw --reader "$tag"
        run 78 write --text hi --protect pw --reader virtual:type4
        run 0 write --text 'Of many' --count 2 --reader 'virtual:ntag213*2?stream&dwell=200ms&serial=2'
        run 77 write --text 'Of most' --count 2 --reader 'virtual:ntag213,type4-read-only,ntag215?stream&dwell=200ms'
        run 77 copy --count 2 --reader 'virtual:tag.nfc,type4-read-only,ntag213,ntag215?stream&dwell=200ms&serial=5'
        run 64 undo --forget
        run 0 undo --forget --yes
        """#

    /// dump, restore and diff.
    static let memoryLines = #"""
        tag=virtual:tag.nfc?serial=1,kind=ntag213
        run 0 write --text hi --reader $tag
        run 0 dump a.nfc --reader $tag
        run 64 dump a.nfc --reader $tag
        run 0 dump a.bin --reader $tag
        run 0 dump type4.json --reader virtual:type4
        run 0 dump classic.mfd --reader virtual:classic1k
        run 0 restore a.nfc --reader $tag
        run 0 write --text other --reader 'virtual:other.nfc?serial=9&kind=ntag213'
        run 64 restore a.nfc --reader virtual:other.nfc
        run 78 restore a.nfc --yes --uid-block --reader virtual:ntag213?serial=9
        run 0 write --text other --reader 'virtual:torn.nfc?serial=10&kind=ntag213'
        run 75 restore a.nfc --yes --reader 'virtual:torn.nfc?tear=14'
        run 0 restore type4.json --yes --reader virtual:type4?serial=7
        run 78 restore a.nfc --reader virtual:ntag215
        echo nonsense > broken.nfc
        run 65 restore broken.nfc --reader $tag
        printf 'Filetype: Flipper NFC device\nVersion: x\n' > broken.nfc
        run 65 restore broken.nfc --reader $tag
        run 0 lock --yes --force --reader 'virtual:locked.nfc?kind=ntag213&serial=3'
        run 0 dump locked.nfc.json --reader virtual:locked.nfc
        run 0 restore locked.nfc.json --yes --lock-bits --reader virtual:ntag213?serial=4
        run 0 diff a.nfc locked.nfc.json
        run 65 diff a.nfc broken.nfc
        run 0 diff a.nfc --reader virtual:ntag213?serial=5
        run 0 diff type4.json a.nfc
        echo 11223344 > pw
        run 0 protect --read --password-file pw --reader $tag
        run 77 dump b.json --reader $tag
        run 0 dump b.json --partial --reader $tag
        run 0 restore b.json --yes --password-file pw --reader $tag
        run 64 dump x.unknown --reader $tag
        """#

    /// transceive and apdu.
    static let rawLines = #"""
        run 76 transceive 60 3000 A20000000000 --reader virtual
        run 0 transceive 60 A20401020304 --reader virtual
        run 0 transceive C2FF 00000000 --reader virtual:ntag-i2c-2k
        run 75 transceive 3000 3004 3008 300C 3010 --reader 'virtual:?loss=3'
        run 0 apdu 00A4040007D276000085010100=9000 00A4000C02E103=90xx 00B0000002 --reader virtual:type4
        run 76 apdu 00A4040007D276000085010100=6A82 --reader virtual:type4
        run 78 apdu 00A40000 --reader virtual:ntag213
        run 64 apdu 00A --reader virtual:type4
        """#
}
