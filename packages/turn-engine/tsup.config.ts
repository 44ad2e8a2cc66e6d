import { libraryBundle } from '../../tooling/build/library.ts';

export default libraryBundle();
