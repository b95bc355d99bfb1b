// What the elements of control and of names say of wrong arguments.
AddressInfo(a);
AddressInfo(a 1.2.3);
AlignmentInfo(a 4);
PortInfo(p);
PortInfo(p 80/nonsense);
ControlSocket(BLUETOOTH, 7777);
Script(set 1+1 x);
Script(write);
Script(label);
Script(goto);
Script(pause many);
Script(wait soon);
Script(TYPE SIGNAL NONSENSE, stop);
Script(TYPE SOMETIMES, stop);
IPRewriterPatterns(web);
IPRewriterPatterns(mail 1.2.3.4 25 - -, mail 1.2.3.4 26 - -);
