// Prints the path of the Node to run Gatehouse with, once everything is ready: for `gatehouse`, which is a shell script.

import { endWithParent, setUpOrExit } from './set-up.mjs';

endWithParent();
console.log(await setUpOrExit());
