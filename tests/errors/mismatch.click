c :: Classifier(1, 2, 3);
c [0,1,2] => Paint(0), Paint(1) -> Discard;
