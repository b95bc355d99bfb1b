// An interface of the routers of fusion.py: that of examples/router.click over a memory port. The next hop is known
// (EtherEncap for ARPQuerier): nobody would answer a query.
elementclass Interface { $port, $name, $color, $trace |
  wire :: FromMemory($port, $trace, REPLAYS $REPLAYS);
  send :: ToMemory($port);
  frames :: Classifier(12/0806 20/0001, 12/0806 20/0002, 12/0800, -);

  wire -> HostEtherFilter($name) -> frames;
  frames[0] -> ARPResponder($name) -> send;
  frames[1] -> Discard;
  frames[2] -> Paint($color) -> Strip(14) -> [0] output;
  frames[3] -> Discard;

  input -> DropBroadcasts
        -> redirect :: PaintTee($color)
        -> options :: IPGWOptions($name)
        -> FixIPSrc($name)
        -> ttl :: DecIPTTL
        -> fragments :: IPFragmenter(1500)
        -> EtherEncap(0x0800, $name, b8:83:03:6f:43:39) -> send;

  errors :: { [0] -> ICMPError($name, redirect, host) -> [0] output;
              [1] -> ICMPError($name, parameterproblem) -> [0] output;
              [2] -> ICMPError($name, timeexceeded) -> [0] output;
              [3] -> ICMPError($name, unreachable, needfrag, PMTU 1500) -> [0] output; };
  redirect[1] -> [0] errors;
  options[1] -> [1] errors;
  ttl[1] -> [2] errors;
  fragments[1] -> [3] errors;
  errors -> [1] output;
}
