import type { youtube_v3 } from '@googleapis/youtube'
import { apiErrors } from './api-errors.ts'
import { readChoice, readList, readPage, readParts, refuseUnknown } from './api-parameters.ts'
import {
  toPlaylistItem,
  toPlaylistResource,
  toSearchResult,
  toVideoResource,
  type PlaylistEntry,
} from './api-resources.ts'
import type { Catalogue } from './catalogue.ts'
import type { DailyQuota } from './daily-quota.ts'
import type { DoubleVideo } from './videos.ts'

/** Permissions of the keys of the API's users. */
export type KeyState = 'valid' | 'not_enabled' | 'referrer_only'

export interface DataApiState {
  catalogue: Catalogue
  quota: DailyQuota
  keys: Map<string, KeyState>
}

type Answer =
  | youtube_v3.Schema$VideoListResponse
  | youtube_v3.Schema$SearchListResponse
  | youtube_v3.Schema$PlaylistItemListResponse
  | youtube_v3.Schema$PlaylistListResponse

const methods = { videos: listVideos, search, playlistItems: listPlaylistItems, playlists: listPlaylists }

/** Answers `GET /{method}`. Null: there is no such method. @throws ApiError with Google's status and body */
export function answerDataApi(
  state: DataApiState,
  method: string,
  query: URLSearchParams,
  key: string | null,
) {
  if (!Object.hasOwn(methods, method)) return null
  const usedKey = checkKey(state, key)
  state.quota.take(usedKey, method === 'search' ? 'search' : 'unit')
  return methods[method as keyof typeof methods](state.catalogue, query)
}

function checkKey(state: DataApiState, key: string | null): string {
  if (key === null || key === '') throw apiErrors.keyMissing()
  const keyState = state.keys.get(key)
  if (keyState === undefined) throw apiErrors.keyInvalid()
  if (keyState === 'not_enabled') throw apiErrors.notEnabled()
  if (keyState === 'referrer_only') throw apiErrors.referrerBlocked()
  return key
}

const paging = ['maxResults', 'pageToken']
const videoParts = ['snippet', 'contentDetails', 'status', 'statistics', 'player', 'topicDetails', 'id']
const listParts = ['snippet', 'contentDetails', 'status', 'id', 'player', 'localizations']
const maxIds = 50
const videoParameters = 'part chart id myRating hl maxHeight maxWidth regionCode videoCategoryId'

function listVideos(catalogue: Catalogue, query: URLSearchParams): Answer {
  refuseUnknown(query, [...videoParameters.split(' '), ...paging])
  const parts = readParts(query, videoParts)
  const chart = readChoice(query, 'chart', ['mostPopular'])
  if (chart === null && !query.has('id')) throw apiErrors.noFilter('chart, id, myRating')
  const page =
    chart === null
      ? toWholePage(readIds(query).flatMap((id) => findVisible(catalogue, id) ?? []))
      : readPage(query, filterCategory(catalogue.listPublic(), query))
  return {
    kind: 'youtube#videoListResponse',
    etag: 'videos',
    ...page,
    items: page.items.map((video) => toVideoResource(video, parts)),
  }
}

function readIds(query: URLSearchParams): string[] {
  const ids = [...new Set(readList(query, 'id'))]
  if (ids.length > maxIds) {
    throw apiErrors.invalidValue('id', 'The request specifies an invalid filter parameter.', 'invalidFilters')
  }
  return ids
}

const toWholePage = <Item>(items: Item[]) => ({
  items,
  pageInfo: { totalResults: items.length, resultsPerPage: items.length },
})

/** Private videos exist for their owner only. */
function findVisible(catalogue: Catalogue, id: string): DoubleVideo | null {
  const video = catalogue.find(id)
  return video?.privacy === 'private' ? null : video
}

function filterCategory(videos: DoubleVideo[], query: URLSearchParams): DoubleVideo[] {
  const categoryId = query.get('videoCategoryId')
  return categoryId === null || categoryId === '0'
    ? videos
    : videos.filter((video) => video.categoryId === categoryId)
}

const searchParameters =
  'part q type order channelId eventType publishedAfter publishedBefore regionCode relevanceLanguage safeSearch topicId ' +
  'videoCaption videoCategoryId videoDefinition videoDimension videoDuration videoEmbeddable videoLicense ' +
  'videoSyndicated videoType'
const onlyForVideos = ['videoCategoryId', 'videoEmbeddable', 'videoSyndicated', 'videoDuration', 'videoType']

function search(catalogue: Catalogue, query: URLSearchParams): Answer {
  refuseUnknown(query, [...searchParameters.split(' '), ...paging])
  const parts = readParts(query, ['snippet', 'id'])
  if (query.get('type') !== 'video' && onlyForVideos.some((name) => query.has(name))) {
    throw apiErrors.invalidValue(
      'type',
      'The request contains an invalid combination of search filters and/or restrictions.',
      'invalidSearchFilter',
    )
  }
  const isEmbeddable = readChoice(query, 'videoEmbeddable', ['any', 'true', 'videoEmbeddableUnspecified'])
  const isSyndicated = readChoice(query, 'videoSyndicated', ['any', 'true', 'videoSyndicatedUnspecified'])
  const found = filterCategory(catalogue.search(query.get('q') ?? ''), query).filter(
    (video) =>
      (isEmbeddable !== 'true' || video.isEmbeddable) && (isSyndicated !== 'true' || video.isSyndicated),
  )
  const page = readPage(query, found)
  return {
    kind: 'youtube#searchListResponse',
    etag: 'search',
    regionCode: query.get('regionCode') ?? 'US',
    ...page,
    items: page.items.map((video) => {
      const { snippet, ...hit } = toSearchResult(video)
      return parts.has('snippet') ? { ...hit, snippet } : hit
    }),
  }
}

function listPlaylistItems(catalogue: Catalogue, query: URLSearchParams): Answer {
  refuseUnknown(query, ['part', 'playlistId', 'id', 'videoId', ...paging])
  const parts = readParts(query, listParts)
  const playlistId = query.get('playlistId')
  if (playlistId === null) throw apiErrors.noFilter('id, playlistId')
  const playlist = catalogue.findPlaylist(playlistId)
  if (!playlist) throw apiErrors.playlistNotFound()
  const entries = playlist.videoIds.map((videoId, position): PlaylistEntry => {
    return { playlist, position, videoId, video: catalogue.find(videoId) }
  })
  const page = readPage(query, entries)
  return {
    kind: 'youtube#playlistItemListResponse',
    etag: 'playlistItems',
    ...page,
    items: page.items.map((entry) => toPlaylistItem(entry, parts)),
  }
}

function listPlaylists(catalogue: Catalogue, query: URLSearchParams): Answer {
  refuseUnknown(query, ['part', 'id', 'channelId', 'mine', 'hl', ...paging])
  const parts = readParts(query, listParts)
  if (!query.has('id')) throw apiErrors.noFilter('id, mine, channelId')
  const page = toWholePage(readIds(query).flatMap((id) => catalogue.findPlaylist(id) ?? []))
  return {
    kind: 'youtube#playlistListResponse',
    etag: 'playlists',
    ...page,
    items: page.items.map((playlist) => toPlaylistResource(playlist, parts)),
  }
}
