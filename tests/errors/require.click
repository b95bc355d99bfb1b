require(library nowhere-to-be-found.click);
x :: { require(library inside.click) };
require;
