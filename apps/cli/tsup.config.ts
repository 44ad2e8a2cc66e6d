import { appBundle } from '../../tooling/build/app.ts';

export default appBundle();
