// WorkPackage and router (paper, section 4.4): the router of bench/nf/router.click, behind an element that generates W
// pseudo-random numbers and makes N random accesses to S MB of memory for each packet.
//
//   packetmill bench bench/experiments/work-router.click S=4 N=1 W=4
define($S 4, $N 1, $W 4)
define($PORT 0, $IP 10.0.0.1, $MAC 98:03:9b:33:fe:e2, $NEXT b8:83:03:6f:43:39)

input :: FromDPDKDevice($PORT, N_QUEUES 1, BURST 32);
output :: ToDPDKDevice($PORT, BURST 32);
frames :: Classifier(12/0806 20/0001, 12/0806 20/0002, 12/0800, -);
routes :: LookupIPRouteMP(0.0.0.0/0 0);
finish :: IPOutputCombo(2, $IP, 1500);
encap :: EtherEncap(0x0800, $MAC, $NEXT);

input -> WorkPackage(S $S, N $N, W $W) -> frames;
frames[0] -> ARPResponder($IP $MAC) -> output;
frames[1] -> Discard;
frames[2] -> Paint(1) -> Strip(14) -> CheckIPHeader(CHECKSUM false) -> routes;
frames[3] -> Discard;

routes -> finish -> encap -> output;
finish[1] -> ICMPError($IP, redirect, host) -> routes;
finish[2] -> ICMPError($IP, parameterproblem) -> routes;
finish[3] -> ICMPError($IP, timeexceeded) -> routes;
finish[4] -> ICMPError($IP, unreachable, needfrag) -> routes;
