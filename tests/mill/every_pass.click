// Every pass finds something here to do (tests/mill/passes_test.cc).
in :: FromDPDKDevice(0) -> HostEtherFilter(2:2:2:2:2:2, DROP_OTHER false)
   -> gap :: Null                                       // no-ops
   -> kind :: Classifier(12/0806, 12/0800, -);

idle :: Idle -> never :: Strip(3) -> unfed :: Counter   // unreachable
   -> Discard;

kind [0] -> useless :: Strip(14) -> arp :: Discard;     // dead

kind [1] -> overwritten :: Paint(1) -> color :: Paint(2)  // dead: the first
   -> two :: Strip(2) -> twelve :: Strip(12)            // merge
   -> CheckIPHeader -> seen :: Counter
   -> off :: Strip(8) -> lasting :: Paint(3)            // dead: the Paint before; combine: off and on
   -> on :: Unstrip(8)
   -> drop :: DropBroadcasts                            // early-drops
   -> colors :: PaintSwitch;

colors [0] -> Discard;
colors [1] -> Discard;
colors [2] -> Discard;
colors [3] -> rest :: Strip(6) -> encap :: EtherEncap(0x800, 1:1:1:1:1:1, 3:3:3:3:3:3)  // merge
   -> out :: Queue(50) -> Unqueue -> ToDPDKDevice(0);

// Nothing to be done: somebody sees the packets in between.
kind [2] -> Strip(14) -> other :: Counter -> Unstrip(14) -> out;
