// Router + NAT with a pool of addresses: nat.click for a million flows, which need more ports than one public address has.
// A host keeps its address (RFC 4787, 4.1: "Paired" pooling), and each address has a flow table of its own.
//
//   packetmill run --dpdk --vdev=net_pcap0,rx_pcap=TRACE,infinite_rx=1 -- bench/nf/nat-pool.click BUFFERS=N
//
// N: as many buffers as TRACE has frames, and some thousand.
define($PORT 0, $IP 10.0.0.1, $MAC 98:03:9b:33:fe:e2, $NEXT b8:83:03:6f:43:39, $BUFFERS 8192)

DPDKInfo(NB_SOCKET_MBUF $BUFFERS);
input :: FromDPDKDevice($PORT, N_QUEUES 1, BURST 32);
output :: ToDPDKDevice($PORT, BURST 32);
frames :: Classifier(12/0806 20/0001, 12/0806 20/0002, 12/0800, -);
routes :: LookupIPRouteMP(0.0.0.0/0 0);
finish :: IPOutputCombo(2, $IP, 1500);
encap :: EtherEncap(0x0800, $MAC, $NEXT);

input -> frames;
frames[0] -> ARPResponder($IP $MAC) -> output;
frames[1] -> Discard;
frames[2] -> Paint(1) -> Strip(14) -> CheckIPHeader(CHECKSUM false) -> routes;
frames[3] -> Discard;

elementclass NAPT { $public | input -> FlowIPManager(CAPACITY 65536) -> FlowIPNAT(SIP $public) -> output }
routes -> pool :: HashSwitch(12, 4);
pool => ([0] -> NAPT(192.0.2.1) -> [0];
         [1] -> NAPT(192.0.2.2) -> [0];
         [2] -> NAPT(192.0.2.3) -> [0];
         [3] -> NAPT(192.0.2.4) -> [0];
         [4] -> NAPT(192.0.2.5) -> [0];
         [5] -> NAPT(192.0.2.6) -> [0];
         [6] -> NAPT(192.0.2.7) -> [0];
         [7] -> NAPT(192.0.2.8) -> [0];
         [8] -> NAPT(192.0.2.9) -> [0];
         [9] -> NAPT(192.0.2.10) -> [0];
         [10] -> NAPT(192.0.2.11) -> [0];
         [11] -> NAPT(192.0.2.12) -> [0];
         [12] -> NAPT(192.0.2.13) -> [0];
         [13] -> NAPT(192.0.2.14) -> [0];
         [14] -> NAPT(192.0.2.15) -> [0];
         [15] -> NAPT(192.0.2.16) -> [0]) -> finish -> encap -> output;
finish[1] -> ICMPError($IP, redirect, host) -> routes;
finish[2] -> ICMPError($IP, parameterproblem) -> routes;
finish[3] -> ICMPError($IP, timeexceeded) -> routes;
finish[4] -> ICMPError($IP, unreachable, needfrag) -> routes;
