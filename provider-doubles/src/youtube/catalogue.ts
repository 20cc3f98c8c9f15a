import { videoFromPrefix } from './prefixed-ids.ts'
import { samplePlaylists, sampleVideos, toVideo, type DoublePlaylist, type DoubleVideo } from './videos.ts'

/** The videos and playlists that exist now. Tests add, change and remove them. */
export class Catalogue {
  readonly #videos = new Map(sampleVideos.map((video) => [video.id, video]))
  readonly #playlists = new Map(samplePlaylists.map((playlist) => [playlist.id, playlist]))

  /** Adds a video, or changes the given fields of one. */
  put(video: Partial<DoubleVideo> & { id: string }): DoubleVideo {
    const changed = toVideo({ ...this.#videos.get(video.id), ...video })
    this.#videos.set(video.id, changed)
    return changed
  }

  remove(videoId: string): void {
    this.#videos.delete(videoId)
  }

  putPlaylist(playlist: DoublePlaylist): void {
    this.#playlists.set(playlist.id, playlist)
  }

  /** Returns a video, private ones too; null if there is none, or it was deleted. */
  find(id: string): DoubleVideo | null {
    return this.#videos.get(id) ?? videoFromPrefix(id)
  }

  findPlaylist(id: string): DoublePlaylist | null {
    return this.#playlists.get(id) ?? null
  }

  listPublic(): DoubleVideo[] {
    return [...this.#videos.values()].filter(({ privacy }) => privacy === 'public')
  }

  /** Finds public videos with all words of the query in their title or channel. */
  search(query: string): DoubleVideo[] {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean)
    return this.listPublic().filter((video) => {
      const text = `${video.title} ${video.channelTitle}`.toLowerCase()
      return words.every((word) => text.includes(word))
    })
  }
}
