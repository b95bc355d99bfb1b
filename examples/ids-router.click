// An IDS in front of a router: headers of TCP, UDP and ICMP are checked, checksums included, and what is wrong is counted
// and dropped; the rest is routed to one next hop, in VLAN 100.
//
//   packetmill run examples/ids-router.click --stats
define($IN examples/traces/ids-router.pcap, $OUT /dev/null);

AddressInfo(me 192.0.2.1 02:00:00:00:00:01, next 02:00:00:00:00:02);

protocols :: IPClassifier(tcp, udp, icmp, -);
routes :: StaticIPLookup(me 1, 0.0.0.0/0 0);
finish :: IPOutputCombo(2, me, 1500);

FromDump($IN, STOP true) -> frames :: Classifier(12/0800, -);
frames[0] -> Paint(1) -> Strip(14) -> CheckIPHeader -> protocols;
frames[1] -> Discard;

protocols[0] -> CheckTCPHeader -> routes;
protocols[1] -> CheckUDPHeader -> routes;
protocols[2] -> CheckICMPHeader -> routes;
protocols[3] -> routes;

routes[0] -> finish -> EtherEncap(0x0800, me, next) -> VLANEncap(100) -> ToDump($OUT);
routes[1] -> Discard;
finish[1] -> Discard;
finish[2] -> ICMPError(me, parameterproblem) -> routes;
finish[3] -> ICMPError(me, timeexceeded) -> routes;
finish[4] -> ICMPError(me, unreachable, needfrag) -> routes;
