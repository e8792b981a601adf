// Prints the path of the Node to run Gatehouse with, after the set-up is complete. Used by `gatehouse`, which is a
// shell script.

import { endWithParent, setUpOrExit } from './set-up.mjs';

endWithParent();
console.log(await setUpOrExit());
