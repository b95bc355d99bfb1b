// The standard IP router (RFC 1812) with two interfaces: ARP on both sides, header checks with checksums, a routing table,
// TTL, options, redirects, fragmentation, and the ICMP error that belongs to each thing that can go wrong.
//
//   packetmill run examples/router.click --stats                     as fast as it goes
//   packetmill run --simtime examples/router.click TIMING=true       in the trace's own time
define($IN0 examples/traces/router-eth0.pcap, $IN1 examples/traces/router-eth1.pcap,
       $OUT0 /dev/null, $OUT1 /dev/null, $TIMING false);

AddressInfo(eth0 192.0.2.1 192.0.2.0/24 02:00:00:00:00:01,
            eth1 198.51.100.1 198.51.100.0/24 02:00:00:00:00:02);

// An interface: frames from and to the wire, ARP, and everything that a packet needs on its way out.
elementclass Interface { $name, $color, $in, $out |
  wire :: FromDump($in, TIMING $TIMING, STOP true);
  frames :: Classifier(12/0806 20/0001, 12/0806 20/0002, 12/0800, -);
  send :: Queue(4096) -> ToDump($out);
  arp :: ARPQuerier($name);

  wire -> HostEtherFilter($name) -> frames;  // notes how the frame was addressed, for DropBroadcasts
  frames[0] -> ARPResponder($name) -> send;
  frames[1] -> [1] arp;
  frames[2] -> Paint($color) -> Strip(14) -> [0] output;  // IP packets, to be routed
  frames[3] -> Discard;

  input -> DropBroadcasts
        -> redirect :: PaintTee($color)
        -> options :: IPGWOptions($name)
        -> FixIPSrc($name)
        -> ttl :: DecIPTTL
        -> fragments :: IPFragmenter(1500)
        -> arp -> send;

  errors :: { [0] -> ICMPError($name, redirect, host) -> [0] output;
              [1] -> ICMPError($name, parameterproblem) -> [0] output;
              [2] -> ICMPError($name, timeexceeded) -> [0] output;
              [3] -> ICMPError($name, unreachable, needfrag, PMTU 1500) -> [0] output; };
  redirect[1] -> [0] errors;
  options[1] -> [1] errors;
  ttl[1] -> [2] errors;
  fragments[1] -> [3] errors;
  errors -> [1] output;  // answers, to be routed
}

side0 :: Interface(eth0, 1, $IN0, $OUT0);
side1 :: Interface(eth1, 2, $IN1, $OUT1);

check :: CheckIPHeader(INTERFACES 192.0.2.1/24 198.51.100.1/24);
routes :: StaticIPLookup(192.0.2.1/32 0, 198.51.100.1/32 0,
                         192.0.2.255/32 0, 198.51.100.255/32 0,
                         192.0.2.0/24 1, 198.51.100.0/24 2,
                         0.0.0.0/0 198.51.100.254 2);

side0[0] -> check; side1[0] -> check;
check -> routes;
side0[1] -> routes; side1[1] -> routes;

// What is for the router itself: pings are answered, the rest has come to its end.
routes[0] -> protocols :: IPClassifier(icmp type echo, -);
protocols[0] -> ICMPPingResponder -> routes;
protocols[1] -> local :: Counter -> Discard;
routes[1] -> side0;
routes[2] -> side1;

DriverManager(wait_stop, wait_stop, wait 10ms);
