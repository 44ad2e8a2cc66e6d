import manifest from '../../package.json' with { type: 'json' };

/** Version of the hermes command. */
export const VERSION: string = manifest.version;
